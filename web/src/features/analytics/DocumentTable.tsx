import type { CitedDocument } from '@lyceum/contract/analytics'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { texts } from '#texts/admin.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { Table } from '#ui/Table.tsx'
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
              cell: ({ title }: CitedDocument) => <Name name={title} fallback="Deleted document" />,
            },
            {
              header: 'Channel',
              cell: ({ channelName }) => <Name name={channelName} fallback="Deleted channel" />,
            },
            {
              header: 'Cited in replies',
              align: 'end',
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
