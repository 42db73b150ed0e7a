import type { CitedDocument } from '@lyceum/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useCan } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { coversCard, Table } from '#ui/Table.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { ExportButton } from './ExportButton.tsx'
import { citedDocumentsQuery, type Scope } from './queries.ts'

interface Props {
  scope: Scope
  page: number
  onPage: (page: number) => void
}

function Name({ name, fallback }: { name: string | null; fallback: string }) {
  return name === null ? (
    <span className="font-normal text-muted">{fallback}</span>
  ) : (
    <span dir="auto" title={name} className="wrap-anywhere line-clamp-2 text-start">
      {name}
    </span>
  )
}

/** The document list searches for no more characters. */
const maxSearchLength = 200

/** Links to the document list, filtered by the document's channel and name. */
function DocumentName({ document: { title, channelId } }: { document: CitedDocument }) {
  const canManageDocuments = useCan('canManageDocuments')
  const name = <Name name={title} fallback="Deleted document" />
  if (title === null || !canManageDocuments) return name
  const search = new URLSearchParams({
    status: 'approved',
    channelId,
    search: title.slice(0, maxSearchLength),
  })
  return (
    <TextLink to={`/admin/documents?${search}`} className={cx('block text-start', coversCard)}>
      {name}
    </TextLink>
  )
}

/** The documents that replies cite, most cited first. */
export function DocumentTable({ scope, page, onPage }: Props) {
  const documents = useQuery(citedDocumentsQuery(scope, page))
  if (documents.isPending) return <RowSkeletons label="Loading the documents…" rows={8} />
  return (
    <PagedTable
      title="Most cited documents"
      list={documents}
      page={page}
      onPage={onPage}
      failedText={texts.analytics.loadFailed}
      toolbar={<ExportButton table="documents" name="most cited documents" scope={scope} />}
    >
      {(rows) => (
        <Table
          caption="Most cited documents"
          columns={[
            {
              header: 'Document',
              isRowHeader: true,
              hidesHeader: true,
              card: 'title',
              cell: (document: CitedDocument) => <DocumentName document={document} />,
            },
            {
              header: 'Channel',
              hidesHeader: true,
              card: 'line',
              cell: ({ channelName }) => <Name name={channelName} fallback="Deleted channel" />,
            },
            {
              header: 'Cited in replies',
              align: 'end',
              card: 'detail',
              cell: ({ citations }) => citations.toLocaleString(),
            },
          ]}
          rows={rows}
          getKey={({ documentId, channelId }) => `${channelId}/${documentId}`}
          empty={
            <EmptyState icon={FileText} hint="Replies cite the approved documents they use.">
              No documents were cited in this period.
            </EmptyState>
          }
        />
      )}
    </PagedTable>
  )
}
