import type { HistoryItem } from '@lyceum/contract/chat-history'
import type { ReactNode } from 'react'
import { formatDateTime } from '#lib/date-time.ts'
import { cx } from '#ui/cx.ts'
import { UserName } from './UserName.tsx'

interface FactProps {
  label: string
  /** Takes a whole line on a phone. */
  isLong?: boolean
  children: ReactNode
}

function Fact({ label, isLong = false, children }: FactProps) {
  return (
    <div className={cx('flex min-w-0 flex-col gap-0.5', isLong && 'max-sm:col-span-2')}>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="wrap-anywhere min-w-0 text-sm">{children}</dd>
    </div>
  )
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} className="tabular-nums max-sm:text-xs">
      {formatDateTime(at)}
    </time>
  )
}

export function ChatFacts({ chat }: { chat: HistoryItem }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:flex-wrap sm:gap-x-8">
      <Fact label="User" isLong>
        <UserName user={chat.user} />
      </Fact>
      <Fact label="Channel">
        <bdi className="line-clamp-2">{chat.channel.name}</bdi>
      </Fact>
      <Fact label="Total messages">{chat.messageCount.toLocaleString()}</Fact>
      <Fact label="Created">
        <Time at={chat.createdAt} />
      </Fact>
      <Fact label="Updated">
        <Time at={chat.updatedAt} />
      </Fact>
    </dl>
  )
}
