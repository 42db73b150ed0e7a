import { useQuery } from '@tanstack/react-query'
import { FileCheck, RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { DocumentList, DocumentListSkeleton } from './DocumentList.tsx'
import { groupByChannel } from './group-by-channel.ts'
import { documentsPerPage, documentsQuery, isUnfinished } from './queries.ts'
import { useDecidedProgress } from './use-decided-progress.ts'
import type { DocumentView } from './use-document-view.ts'

interface Props {
  view: DocumentView
  onPage: (page: number) => void
}

const cardStyle = 'overflow-clip rounded-card border border-hairline bg-raised'

const useReviewedPage = ({ status, channelId, search, page }: DocumentView) => {
  const list = useQuery({
    ...documentsQuery({
      page,
      status,
      ...(channelId === '' ? {} : { channelId }),
      ...(search === '' ? {} : { search }),
    }),
    meta: { quiet: true },
  })
  const documents = list.data?.items ?? []
  useDecidedProgress(status === 'pending' ? documents : [])
  return { list, documents }
}

/** The documents of a tab by channel. What was decided here stays in its place until the list is read again. */
export const DocumentReview = ({ view, onPage }: Props) => {
  const { list, documents } = useReviewedPage(view)
  const { total = 0, totalPages = 0 } = list.data ?? {}
  const isBeyondEnd =
    list.data !== undefined && !list.isPlaceholderData && view.page > Math.max(1, totalPages)
  useEffect(() => {
    if (isBeyondEnd) onPage(Math.max(1, totalPages))
  }, [isBeyondEnd, totalPages, onPage])

  if (list.isPending) {
    return (
      <div className={cardStyle}>
        <DocumentListSkeleton rows={4} />
      </div>
    )
  }
  if (documents.length === 0) {
    return (
      <div className={cardStyle}>
        <EmptyState
          icon={FileCheck}
          hint={view.search === '' ? undefined : `No name contains “${view.search}”.`}
        >{`No ${view.status} documents in the selected channel to review.`}</EmptyState>
      </div>
    )
  }
  const decided = documents.filter(({ status }) => status !== view.status)
  const first = (view.page - 1) * documentsPerPage + 1
  return (
    <div aria-busy={list.isPlaceholderData} className="flex flex-col gap-5">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm tabular-nums">
          {`${first.toLocaleString()}–${(first + documents.length - 1).toLocaleString()} of ${total.toLocaleString()}`}
        </p>
        {decided.length > 0 && (
          <Button
            size="small"
            busy={list.isFetching && !decided.some(isUnfinished)}
            onClick={() => void list.refetch()}
          >
            <RefreshCw aria-hidden="true" className="size-4" />
            Show what is still pending
          </Button>
        )}
      </div>
      {groupByChannel(documents).map((group) => (
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
          />
        </section>
      ))}
      <Pagination page={view.page} totalPages={totalPages} onChange={onPage} label="Pages of documents" />
    </div>
  )
}
