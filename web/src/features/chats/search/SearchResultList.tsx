import { stripInvisible } from '@lyceum/contract/invisible-text'
import { formatChatTime } from '#lib/chat-time.ts'
import { cx } from '#ui/cx.ts'
import { chatName } from '../sidebar/chat-label.ts'
import type { SearchResult } from './search-query.ts'
import { splitMatches } from './split-matches.ts'

function HighlightedText({ text, query }: { text: string; query: string }) {
  return (
    <>
      {splitMatches(text, query).map((piece, index) =>
        piece.isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other key
          <mark key={index} className="font-medium">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      )}
    </>
  )
}

function speakerLabel(role: SearchResult['role']): string | null {
  if (role === null) return null
  return role === 'user' ? 'You: ' : 'Assistant: '
}

interface Props {
  id: string
  items: readonly SearchResult[]
  query: string
  /** Index of the result that Enter opens. */
  activeIndex: number
  optionId: (index: number) => string
  onHover: (index: number) => void
  onChoose: (result: SearchResult) => void
}

/** The results, each with its channel and chat. */
export function SearchResultList({ id, items, query, activeIndex, optionId, onHover, onChoose }: Props) {
  return (
    <div id={id} role="listbox" aria-label="Search results" className="flex flex-col gap-0.5">
      {items.map((result, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and handles the keys
        <div
          key={`${result.chatId} ${result.messageId ?? 'title'}`}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === activeIndex}
          onPointerMove={() => onHover(index)}
          onClick={() => onChoose(result)}
          className={cx(
            'cursor-pointer rounded-control px-3 py-2',
            index === activeIndex && 'bg-primary-100 dark:bg-primary-900',
          )}
        >
          <span className="flex items-baseline gap-2 text-xs">
            <span className="flex min-w-0 flex-1 gap-1.5">
              <bdi className="max-w-[50%] shrink-0 truncate font-medium">{result.channelName}</bdi>
              <span aria-hidden="true" className="text-muted">
                /
              </span>
              <bdi className="truncate text-muted">{chatName(result)}</bdi>
            </span>
            <time dateTime={result.timestamp} className="shrink-0 text-muted tabular-nums">
              {formatChatTime(new Date(result.timestamp), new Date())}
            </time>
          </span>
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-start text-sm">
            {speakerLabel(result.role) !== null && (
              <span className="text-muted">{speakerLabel(result.role)}</span>
            )}
            <HighlightedText text={stripInvisible(result.excerpt)} query={query} />
          </span>
        </div>
      ))}
    </div>
  )
}
