import type { UseQueryResult } from '@tanstack/react-query'
import { Monitor, Smartphone, TriangleAlert } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Badge } from '#ui/Status.tsx'

interface ListedBrowser {
  _id: string
  browser: string
  ip: string
  current: boolean
  /** The other site on which a session is used. */
  site?: string | undefined
}

interface Props<Item extends ListedBrowser> {
  list: UseQueryResult<Item[]>
  label: string
  errorText: string
  emptyText: string
  /** Receives the focus when the focused row disappears. */
  heading: RefObject<HTMLHeadingElement | null>
  renderTimes: (item: Item) => ReactNode
  renderAction: (item: Item) => ReactNode
}

export function LabelledTime({ label, at }: { label: string; at: string }) {
  return (
    <span>
      {label}{' '}
      <time dateTime={at} className="tabular-nums">
        {formatDateTime(at)}
      </time>
    </span>
  )
}

function isMobileBrowser(browser: string): boolean {
  return /android|iphone|ipad|ios/i.test(browser)
}

function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading {label.toLowerCase()}…</span>
      <Skeleton className="h-17" />
      <Skeleton className="h-17" />
    </div>
  )
}

/** The user's browsers, the current one first. */
export function BrowserList<Item extends ListedBrowser>(props: Props<Item>) {
  const { list, label, errorText, emptyText, heading, renderTimes, renderAction } = props
  const count = list.data?.length ?? 0
  const previousCount = useRef(count)
  useEffect(() => {
    const isShorter = count < previousCount.current
    previousCount.current = count
    if (isShorter && document.activeElement === document.body) heading.current?.focus()
  }, [count, heading])

  if (list.data === undefined) {
    if (list.error === null) return <ListSkeleton label={label} />
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(list.error, '')}
        action={<Button onClick={() => void list.refetch()}>Try again</Button>}
      >
        {errorText}
      </EmptyState>
    )
  }
  if (count === 0) return <p className="text-muted text-sm">{emptyText}</p>
  const rows = list.data.toSorted((one, other) => Number(other.current) - Number(one.current))
  return (
    <ul aria-label={label} className="divide-y divide-hairline rounded-card border border-hairline">
      {rows.map((item) => {
        const Icon = isMobileBrowser(item.browser) ? Smartphone : Monitor
        return (
          <li key={item._id} className="flex items-start gap-3 px-4 py-3 sm:items-center sm:gap-4">
            <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
              <div className="min-w-0 flex-1 basis-48">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="wrap-anywhere font-medium text-sm">{item.browser}</span>
                  {item.current && <Badge>This browser</Badge>}
                  {item.site !== undefined && (
                    <Badge>
                      <span className="wrap-anywhere whitespace-normal">On {new URL(item.site).host}</span>
                    </Badge>
                  )}
                </p>
                <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs leading-5">
                  {item.ip !== '' && <span className="wrap-anywhere tabular-nums">{item.ip}</span>}
                  {renderTimes(item)}
                </p>
              </div>
              {renderAction(item)}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
