import type { UseQueryResult } from '@tanstack/react-query'
import { Monitor, Smartphone, TriangleAlert } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { messageOf } from '#api/api-error.ts'
import { dateTime } from '#lib/date-time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Badge } from '#ui/Status.tsx'

interface Listed {
  _id: string
  browser: string
  ip: string
  current: boolean
}

interface Props<Item extends Listed> {
  list: UseQueryResult<Item[]>
  /** Names the list, and what is being loaded. */
  label: string
  failed: string
  empty: string
  /** Gets the focus when the row that had it has gone. */
  heading: RefObject<HTMLHeadingElement | null>
  times: (item: Item) => ReactNode
  action: (item: Item) => ReactNode
}

/** A named moment in a row's small print. */
export function Moment({ label, at }: { label: string; at: string }) {
  return (
    <span>
      {label}{' '}
      <time dateTime={at} className="tabular-nums">
        {dateTime(at)}
      </time>
    </span>
  )
}

function isOnPhone(browser: string): boolean {
  return /android|iphone|ipad|ios/i.test(browser)
}

function Waiting({ label }: { label: string }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading: {label}</span>
      <Skeleton className="h-17" />
      <Skeleton className="h-17" />
    </div>
  )
}

/** Browsers as their person recognises them, the one at hand first. */
export function BrowserList<Item extends Listed>(props: Props<Item>) {
  const { list, label, failed, empty, heading, times, action } = props
  const count = list.data?.length ?? 0
  const before = useRef(count)
  useEffect(() => {
    const hasLost = count < before.current
    before.current = count
    if (hasLost && document.activeElement === document.body) heading.current?.focus()
  }, [count, heading])

  if (list.data === undefined) {
    if (list.error === null) return <Waiting label={label} />
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(list.error, '')}
        action={<Button onClick={() => void list.refetch()}>Try again</Button>}
      >
        {failed}
      </EmptyState>
    )
  }
  if (count === 0) return <p className="text-muted text-sm">{empty}</p>
  const rows = list.data.toSorted((one, other) => Number(other.current) - Number(one.current))
  return (
    <ul aria-label={label} className="divide-y divide-hairline rounded-card border border-hairline">
      {rows.map((item) => {
        const Icon = isOnPhone(item.browser) ? Smartphone : Monitor
        return (
          <li key={item._id} className="flex items-start gap-3 px-4 py-3 sm:items-center sm:gap-4">
            <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
              <div className="min-w-0 flex-1 basis-48">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="wrap-anywhere font-medium text-sm">{item.browser}</span>
                  {item.current && <Badge>This browser</Badge>}
                </p>
                <p className="mt-0.5 flex flex-wrap gap-x-3 text-muted text-xs leading-5">
                  {item.ip !== '' && <span className="wrap-anywhere tabular-nums">{item.ip}</span>}
                  {times(item)}
                </p>
              </div>
              {action(item)}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
