import type { HistoryDetail } from '@lyceum/contract/chat-history'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeUnchecked } from '#lib/citation-labels.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { cx } from '#ui/cx.ts'

export type HistoryMessage = HistoryDetail['messages'][number]

/** Explains the state or mode of a reply; null for a complete, ordinary reply. */
function describeState({ state, mode, isUngrounded }: HistoryMessage): string | null {
  switch (state) {
    case 'streaming':
      return 'Still being written when this was loaded.'
    case 'stopped':
      return 'Stopped by the user.'
    case 'interrupted':
      return 'Interrupted before it was complete.'
    case 'failed':
      return 'The assistant could not answer.'
    default:
  }
  switch (mode) {
    case 'refusal':
      return 'Not found in the channel’s documents.'
    case 'extractive':
      return 'Quoted from the documents, not written by a language model.'
    default:
      return isUngrounded === true ? 'Not based on the channel’s documents.' : null
  }
}

function describeReply(message: HistoryMessage): string[] {
  const { uncheckedCitations = 0 } = message
  return [
    describeState(message),
    uncheckedCitations > 0 ? describeUnchecked(uncheckedCitations) : null,
  ].filter((note) => note !== null)
}

const roleLabels: Record<HistoryMessage['role'], string> = {
  user: 'User',
  assistant: 'Assistant',
  system: 'System',
}

const roleStyles: Record<Exclude<HistoryMessage['role'], 'assistant'>, string> = {
  user: 'rounded-dialog bg-primary-50 px-4 py-2.5 dark:bg-primary-950',
  system: 'rounded-card border border-hairline bg-surface px-4 py-2.5 text-muted text-sm',
}

function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}

interface Props {
  message: HistoryMessage
  /** The name of the chat's owner. */
  name: string
  /** The rendered text of an assistant's message. */
  reply: ReactNode
  headingLevel?: 'h3' | 'h4'
}

/** One message of another user's chat: role, time and content, without actions. */
export function HistoryMessageRow({ message, name, reply, headingLevel: Heading = 'h3' }: Props) {
  const { role, timestamp, content, attachments = [] } = message
  const notes = role === 'assistant' ? describeReply(message) : []
  return (
    <div className="flex flex-col gap-1.5">
      <Heading className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <span className="font-semibold">{roleLabels[role]}</span>
        {role === 'user' && <bdi className="wrap-anywhere min-w-0 text-muted">{name}</bdi>}
        <time dateTime={timestamp} className="text-muted tabular-nums">
          {formatDateTime(timestamp)}
        </time>
      </Heading>
      {role === 'assistant' ? (
        content !== '' && reply
      ) : (
        <p dir="auto" className={cx('wrap-anywhere whitespace-pre-wrap text-base', roleStyles[role])}>
          {stripInvisible(content)}
        </p>
      )}
      {attachments.length > 0 && (
        <p className="wrap-anywhere text-muted text-sm">
          Attached: {listNames(attachments.map(({ name: file }) => stripInvisible(file)))}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="flex items-start gap-2 text-muted text-sm">
          <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">{note}</span>
        </p>
      ))}
    </div>
  )
}
