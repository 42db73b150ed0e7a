import type { HistoryItem } from '@lyceum/contract/chat-history'
import type { ReactNode } from 'react'
import { dateTime } from '#lib/date-time.ts'
import { Person } from './Person.tsx'

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-0.5">
    <dt className="text-muted text-xs">{label}</dt>
    <dd className="wrap-anywhere min-w-0 text-sm">{children}</dd>
  </div>
)

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className="tabular-nums max-sm:text-xs">
    {dateTime(at)}
  </time>
)

/** Whose chat it is, where, from when to when, and how long. */
export const ChatFacts = ({ chat }: { chat: HistoryItem }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:flex-wrap sm:gap-x-8">
    <Fact label="User">
      <Person user={chat.user} />
    </Fact>
    <Fact label="Channel">
      <bdi className="line-clamp-2">{chat.channel.name}</bdi>
    </Fact>
    <Fact label="Created">
      <Time at={chat.createdAt} />
    </Fact>
    <Fact label="Updated">
      <Time at={chat.updatedAt} />
    </Fact>
    <Fact label="Total messages">{chat.messageCount.toLocaleString()}</Fact>
  </dl>
)
