import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { dateTime } from '#lib/date-time.ts'
import { cx } from '#ui/cx.ts'
import { type HistoryMessage, roleWords, stateNote } from './state-note.ts'

const boxes: Record<Exclude<HistoryMessage['role'], 'assistant'>, string> = {
  user: 'rounded-dialog bg-primary-50 px-4 py-2.5 dark:bg-primary-950',
  system: 'rounded-card border border-hairline bg-surface px-4 py-2.5 text-muted text-sm',
}

interface Props {
  message: HistoryMessage
  /** Who asked. */
  name: string
  /** What an assistant wrote, as it is shown in a chat. */
  reply: ReactNode
  headingLevel?: 'h3' | 'h4'
}

/** One message as somebody else's: role, time and content, and nothing that could be done with it. */
export function HistoryMessageRow({ message, name, reply, headingLevel: Heading = 'h3' }: Props) {
  const { role, timestamp, content } = message
  const note = role === 'assistant' ? stateNote(message) : null
  return (
    <div className="flex flex-col gap-1.5">
      <Heading className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <span className="font-semibold">{roleWords[role]}</span>
        {role === 'user' && <bdi className="wrap-anywhere min-w-0 text-muted">{name}</bdi>}
        <time dateTime={timestamp} className="text-muted tabular-nums">
          {dateTime(timestamp)}
        </time>
      </Heading>
      {role === 'assistant' ? (
        content !== '' && reply
      ) : (
        <p dir="auto" className={cx('wrap-anywhere whitespace-pre-wrap text-base', boxes[role])}>
          {content}
        </p>
      )}
      {note !== null && (
        <p className="flex items-start gap-2 text-muted text-sm">
          <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">{note}</span>
        </p>
      )}
    </div>
  )
}
