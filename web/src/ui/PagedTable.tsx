import { RotateCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useHashTarget } from '#lib/use-hash-target.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { EmptyState } from './EmptyState.tsx'
import { Pagination } from './Pagination.tsx'
import { findRateLimit, RateLimitNote } from './RateLimitNote.tsx'
import { Skeleton } from './Skeleton.tsx'

/** The part of a query result that the table needs. */
interface PagedList<Row> {
  data: { items: Row[]; total: number; totalPages: number } | undefined
  error: Error | null
  isPlaceholderData: boolean
  errorUpdatedAt: number
  refetch: () => Promise<unknown>
}

interface Props<Row> {
  title: string
  /** The hash of links to this table. */
  anchor?: string
  list: PagedList<Row>
  /** Starts at 1. */
  page: number
  onPage: (page: number) => void
  /** Shown instead of the rows when loading failed. */
  failedText: string
  /** Formats the total beside the title. */
  formatTotal?: (total: number) => string
  /** At the end of the title row. */
  toolbar?: ReactNode
  /** Between the title and the rows. */
  belowTitle?: ReactNode
  children: (rows: readonly Row[]) => ReactNode
}

/** Placeholder for rows that are loading. */
export function RowSkeletons({ label, rows }: { label: string; rows: number }) {
  return (
    <Card flush role="status" className="divide-y divide-hairline">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are identical
        <div key={row} className="flex items-center gap-4 px-4 py-3.5">
          <Skeleton className="size-9" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-3 w-1/2" />
          </div>
        </div>
      ))}
    </Card>
  )
}

function formatNumber(total: number): string {
  return total.toLocaleString()
}

/** A titled, paged table that handles failed loads, rate limits and pages beyond the end. */
export function PagedTable<Row>(props: Props<Row>) {
  const {
    title,
    anchor,
    list,
    page,
    onPage,
    failedText,
    formatTotal = formatNumber,
    toolbar,
    belowTitle,
    children,
  } = props
  const { error } = list
  const limit = findRateLimit(error)
  const section = useRef<HTMLElement>(null)
  useHashTarget(anchor, section)
  const [lastShown, setLastShown] = useState(list.data)
  if (list.data !== undefined && list.data !== lastShown) setLastShown(list.data)
  // When rate-limited, keep the current page until a retry is allowed.
  const data = list.data ?? (limit === null ? undefined : lastShown)
  const isStale = list.isPlaceholderData || list.data === undefined
  const lastPage = Math.max(1, data?.totalPages ?? 1)
  const isBeyondEnd = data !== undefined && !isStale && page > lastPage
  // biome-ignore lint/correctness/useExhaustiveDependencies: correct the URL only once
  useEffect(() => {
    if (isBeyondEnd) onPage(lastPage)
  }, [isBeyondEnd, lastPage])

  return (
    <section
      ref={section}
      id={anchor}
      tabIndex={anchor === undefined ? undefined : -1}
      aria-label={title}
      aria-busy={list.isPlaceholderData || limit !== null}
      className="flex scroll-mt-20 flex-col gap-3 outline-none sm:scroll-mt-32"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="flex items-baseline gap-2 font-semibold text-lg">
          {title}
          {data !== undefined && data.total > 0 && (
            <span className="font-normal text-muted text-sm tabular-nums">{formatTotal(data.total)}</span>
          )}
        </h2>
        {toolbar}
      </div>
      {/* What a search found. Always mounted: screen readers announce only what is added to an existing region. */}
      <p role="status" className="sr-only">
        {data !== undefined && !isStale && `${title}: ${data.total === 0 ? 'none' : formatTotal(data.total)}`}
      </p>
      {belowTitle}
      {limit !== null && (
        <RateLimitNote key={list.errorUpdatedAt} limit={limit} onExpire={() => void list.refetch()} />
      )}
      <Card flush>
        {data === undefined ? (
          <EmptyState
            icon={TriangleAlert}
            hint={messageOf(error, '')}
            action={
              <Button onClick={() => void list.refetch()}>
                <RotateCw aria-hidden="true" className="size-4" />
                Try again
              </Button>
            }
          >
            {failedText}
          </EmptyState>
        ) : (
          children(data.items)
        )}
      </Card>
      <Pagination
        page={page}
        totalPages={data?.totalPages ?? 1}
        onChange={onPage}
        label={`Pages of ${title.toLowerCase()}`}
      />
    </section>
  )
}
