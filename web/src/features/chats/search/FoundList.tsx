import { chatTime } from '#lib/chat-time.ts'
import { cx } from '#ui/cx.ts'
import { markedPieces } from './marked.ts'
import type { Found } from './search-query.ts'

function Marked({ text, query }: { text: string; query: string }) {
  return (
    <>
      {markedPieces(text, query).map((piece, place) =>
        piece.isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
          <mark key={place} className="rounded-sm bg-warning-soft font-medium text-ink">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  )
}

function speaker(role: Found['role']): string | null {
  if (role === null) return null
  return role === 'user' ? 'You: ' : 'Assistant: '
}

interface Props {
  id: string
  items: readonly Found[]
  query: string
  /** The place of the one that Enter opens. */
  active: number
  optionId: (place: number) => string
  onPoint: (place: number) => void
  onChoose: (found: Found) => void
}

/** What was found, each with the channel and the chat it stands in. */
export function FoundList({ id, items, query, active, optionId, onPoint, onChoose }: Props) {
  return (
    <div id={id} role="listbox" aria-label="Found in your chats" className="flex flex-col gap-0.5">
      {items.map((found, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and hears the keys
        <div
          key={`${found.chatId} ${found.messageId ?? 'title'}`}
          id={optionId(place)}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          onPointerMove={() => onPoint(place)}
          onClick={() => onChoose(found)}
          className={cx(
            'cursor-pointer rounded-control px-3 py-2',
            place === active && 'bg-primary-100 dark:bg-primary-900',
          )}
        >
          <span className="flex items-baseline gap-2 text-xs">
            <span className="flex min-w-0 flex-1 gap-1.5">
              <bdi className="max-w-[60%] truncate font-medium">{found.channelName}</bdi>
              <span aria-hidden="true" className="text-muted">
                /
              </span>
              <bdi className="truncate text-muted">{found.title ?? 'Chat'}</bdi>
            </span>
            <time dateTime={found.timestamp} className="shrink-0 text-muted tabular-nums">
              {chatTime(new Date(found.timestamp), new Date())}
            </time>
          </span>
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-start text-sm">
            {speaker(found.role) !== null && <span className="text-muted">{speaker(found.role)}</span>}
            <Marked text={found.excerpt} query={query} />
          </span>
        </div>
      ))}
    </div>
  )
}
