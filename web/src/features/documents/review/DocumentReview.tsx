import type { Channel } from '@lyceum/contract/channels'
import type { Document } from '@lyceum/contract/documents'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { Button } from '#ui/Button.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { findFirstDecision } from '../DocumentActions.tsx'
import { DocumentList, DocumentListSkeleton } from '../DocumentList.tsx'
import { refreshDocument } from '../document-cache.ts'
import { documentsPerPage, documentsQuery, indexPollMs, isBeingIndexed } from '../queries.ts'
import { BulkDeleteDialog } from './BulkDeleteDialog.tsx'
import { BulkOutcomeDialog } from './BulkOutcomeDialog.tsx'
import { NothingToReview } from './NothingToReview.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { ReviewPreview } from './ReviewPreview.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { type DocumentView, toFilter } from './use-document-view.ts'
import { type ReviewSelection, useReviewSelection } from './use-review-selection.ts'

const UploadDialog = lazyComponent(async () => (await import('../upload/UploadDialog.tsx')).UploadDialog)

/** Documents are indexed one after another, so polling the next few is enough. */
const maxPolled = 4

/** Polls each document by itself, because refetching the list would remove those just approved or reindexed. */
function usePollIndexing(documents: readonly Document[]): void {
  const client = useQueryClient()
  const ids = documents
    .filter(isBeingIndexed)
    .slice(0, maxPolled)
    .map(({ _id }) => _id)
  useQuery({
    queryKey: ['document-progress', ids],
    queryFn: async ({ signal }) => {
      await Promise.all(ids.map((id) => refreshDocument(client, id, signal)))
      return ids
    },
    enabled: ids.length > 0,
    refetchInterval: indexPollMs,
    gcTime: 0,
    meta: { quiet: true },
  })
}

interface DocumentGroup {
  /** The channel's id, or its name if the server sends no id. */
  key: string
  name: string
  documents: Document[]
}

/** Groups documents by channel; the channel with the newest document comes first. */
export function groupByChannel(documents: readonly Document[]): DocumentGroup[] {
  const groups = new Map<string, DocumentGroup>()
  for (const document of documents) {
    const { _id, name } = document.channel
    const key = _id ?? name
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { key, name, documents: [document] })
    else group.documents.push(document)
  }
  return [...groups.values()]
}

function isNewestApproved({ status, version }: Document): boolean {
  return status === 'approved' && version.number === version.count
}

interface Props {
  view: DocumentView
  onPage: (page: number) => void
  /** Called with documents that were approved here, also repeatedly with the same ones. */
  onApproved: (documents: readonly Document[]) => void
}

const cardStyle = 'overflow-clip rounded-card border border-hairline bg-raised'

function useReviewPage(view: DocumentView) {
  const list = useQuery({ ...documentsQuery({ page: view.page, ...toFilter(view) }), meta: { quiet: true } })
  const documents = list.data?.items ?? []
  // The page follows the documents that were approved here.
  const pending = view.status === 'pending' ? documents.filter(({ status }) => status === 'pending') : []
  usePollIndexing(view.index === 'failed' ? documents : pending)
  return { list, documents }
}

type ReviewList = ReturnType<typeof useReviewPage>['list']

interface PageProps extends Omit<Props, 'onApproved'> {
  list: ReviewList
  groups: readonly DocumentGroup[]
  documents: readonly Document[]
  selection: ReviewSelection
  onPreview: (document: Document) => void
}

/** As many as the server lists. */
const maxListedWithoutVectors = 500

function formatRange(page: number, shown: number, total: number): string {
  const first = (page - 1) * documentsPerPage + 1
  return `${first.toLocaleString()}–${(first + shown - 1).toLocaleString()} of ${total.toLocaleString()}`
}

function ReviewPage({ view, onPage, list, groups, documents, selection, onPreview }: PageProps) {
  const { total = 0, totalPages = 0 } = list.data ?? {}
  const decided =
    view.index === 'without-vectors' ? [] : documents.filter(({ status }) => status !== view.status)
  return (
    <>
      {view.index === 'without-vectors' && (
        <p className="text-muted text-sm">
          These documents have no vectors of the current embedding model yet. Lyceum retries at least every
          hour; no action is needed.
          {total >= maxListedWithoutVectors && ` Only the first ${total} are listed.`}
        </p>
      )}
      <SelectionBar
        documents={documents}
        selection={selection}
        range={formatRange(view.page, documents.length, total)}
      >
        {decided.length > 0 && (
          <Button
            size="small"
            busy={list.isFetching && !decided.some(isBeingIndexed)}
            onClick={() => void list.refetch()}
          >
            <RefreshCw aria-hidden="true" className="size-4" />
            {`Show only ${view.status}`}
          </Button>
        )}
      </SelectionBar>
      {groups.map((group) => (
        <section key={group.key} aria-label={group.name} className={cardStyle}>
          <h2
            title={group.name}
            className="border-hairline border-b bg-surface px-4 py-2.5 font-semibold text-sm dark:bg-surface-2"
          >
            <span dir="auto" className="wrap-anywhere line-clamp-3 text-start">
              {group.name}
            </span>
          </h2>
          <DocumentList
            label={`Documents in ${group.name}`}
            documents={group.documents}
            isReview={view.status === 'pending'}
            isQuiet
            selection={selection.actions.length > 0 ? selection.selected : undefined}
            onPreview={onPreview}
          />
        </section>
      ))}
      <Pagination page={view.page} totalPages={totalPages} onChange={onPage} label="Pages of documents" />
    </>
  )
}

/** Links to the review can ask for the focus on the first decision. The parameter is removed, so that it happens once. */
function useFirstDecision(container: RefObject<HTMLElement | null>, isLoaded: boolean): void {
  const [params, setParams] = useSearchParams()
  const isWanted = params.get('focus') === 'decision'
  useEffect(() => {
    if (!isWanted || !isLoaded) return
    findFirstDecision(container.current)?.focus()
    setParams(
      (current) => {
        current.delete('focus')
        return current
      },
      { replace: true },
    )
  }, [isWanted, isLoaded, container, setParams])
}

/** The documents of a tab, grouped by channel. Reviewed ones keep their place until the list is refetched. */
export function DocumentReview({ view, onPage, onApproved }: Props) {
  const { list, documents } = useReviewPage(view)
  const container = useRef<HTMLElement>(null)
  // Here and not in the empty state, which disappears with the first upload.
  const [uploadChannel, setUploadChannel] = useState<Channel | null>(null)
  const [previewed, setPreviewed] = useState<Document | null>(null)
  const groups = groupByChannel(documents)
  useFirstDecision(container, !list.isPending)
  const closeUpload = useCallback(() => setUploadChannel(null), [])
  const { total = 0, totalPages = 0 } = list.data ?? {}
  const selection = useReviewSelection({
    view,
    documents,
    total,
    findContainer: () => container.current,
    onApproved,
  })
  // A document approved by its own button stays in the list of pending ones. So does one whose newest version was
  // rejected, with an earlier version that had been approved before.
  useEffect(() => {
    if (view.status === 'pending') onApproved(documents.filter(isNewestApproved))
  })
  const isBeyondEnd =
    list.data !== undefined && !list.isPlaceholderData && view.page > Math.max(1, totalPages)
  useEffect(() => {
    if (isBeyondEnd) onPage(Math.max(1, totalPages))
  }, [isBeyondEnd, totalPages, onPage])

  return (
    <section
      ref={container}
      tabIndex={-1}
      aria-label="Documents to review"
      aria-busy={list.isPlaceholderData}
      className="flex flex-col gap-4 outline-none"
    >
      {list.isPending ? (
        <div className={cardStyle}>
          <DocumentListSkeleton rows={4} />
        </div>
      ) : documents.length === 0 ? (
        <NothingToReview view={view} onUpload={setUploadChannel} />
      ) : (
        <ReviewPage
          view={view}
          onPage={onPage}
          list={list}
          groups={groups}
          documents={documents}
          selection={selection}
          onPreview={setPreviewed}
        />
      )}
      {previewed !== null && (
        <ReviewPreview
          documents={groups.flatMap((group) => group.documents)}
          opened={previewed}
          isQuiet
          onClose={() => setPreviewed(null)}
        />
      )}
      {selection.actionToConfirm === 'reject' && selection.selected.documents.length > 0 && (
        <RejectDialog
          documents={selection.selected.documents}
          onReject={selection.confirmReject}
          onClose={selection.dismiss}
          finalFocus={() => {
            // The dialog would focus a button inside, which is about to disappear.
            container.current?.focus()
            return false
          }}
        />
      )}
      <BulkDeleteDialog
        open={selection.actionToConfirm === 'delete'}
        documents={selection.selected.documents}
        onConfirm={selection.confirmDelete}
        onCancel={selection.dismiss}
        finalFocus={() => selection.getTrigger() ?? container.current}
      />
      {uploadChannel !== null && (
        <UploadDialog
          open
          onLoadError={closeUpload}
          props={{ channel: uploadChannel, onClose: closeUpload }}
        />
      )}
      {selection.outcome !== null && (
        <BulkOutcomeDialog outcome={selection.outcome} onClose={selection.closeOutcome} />
      )}
    </section>
  )
}
