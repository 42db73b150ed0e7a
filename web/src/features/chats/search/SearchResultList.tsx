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

interface Group {
  /** The hits of one chat. */
  items: { result: SearchResult; index: number }[]
  first: SearchResult
}

/** The server sends the hits of a chat one after the other, its title first. */
function groupByChat(items: readonly SearchResult[]): Group[] {
  const groups: Group[] = []
  for (const [index, result] of items.entries()) {
    const last = groups.at(-1)
    if (last?.first.chatId === result.chatId) last.items.push({ result, index })
    else groups.push({ items: [{ result, index }], first: result })
  }
  return groups
}

interface TitleProps {
  result: SearchResult
  query: string
  isOtherChannel: boolean
}

function ChatTitle({ result, query, isOtherChannel }: TitleProps) {
  return (
    <span className="flex min-w-0 flex-1 gap-1.5 text-xs">
      <bdi className="truncate font-medium">
        <HighlightedText text={chatName(result)} query={query} />
      </bdi>
      {isOtherChannel && (
        <bdi className="max-w-[50%] shrink-0 truncate text-muted">in {result.channelName}</bdi>
      )}
    </span>
  )
}

interface Props {
  id: string
  /** The channel whose chats need no name of a channel. */
  channelId: string
  items: readonly SearchResult[]
  query: string
  /** Index of the result that Enter opens. */
  activeIndex: number
  optionId: (index: number) => string
  onHover: (index: number) => void
  onChoose: (result: SearchResult) => void
}

/** The results by chat, each below its title. A title that matches is a result itself. */
export function SearchResultList({
  id,
  channelId,
  items,
  query,
  activeIndex,
  optionId,
  onHover,
  onChoose,
}: Props) {
  return (
    <div id={id} role="listbox" aria-label="Search results" className="flex flex-col gap-2">
      {groupByChat(items).map(({ first, items: hits }) => {
        const isOtherChannel = first.channelId !== channelId
        const title = <ChatTitle result={first} query={query} isOtherChannel={isOtherChannel} />
        const name = isOtherChannel ? `${chatName(first)}, ${first.channelName}` : chatName(first)
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group options
          <div key={first.chatId} role="group" aria-label={name}>
            {first.messageId !== null && <div className="px-3 pt-1 pb-0.5">{title}</div>}
            {hits.map(({ result, index }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and handles the keys
              <div
                key={result.messageId ?? 'title'}
                id={optionId(index)}
                role="option"
                tabIndex={-1}
                aria-selected={index === activeIndex}
                onPointerMove={() => onHover(index)}
                onClick={() => onChoose(result)}
                className={cx(
                  'flex cursor-pointer items-baseline gap-2 rounded-control px-3 py-1',
                  index === activeIndex && 'bg-primary-100 dark:bg-primary-900',
                )}
              >
                {result.messageId === null ? (
                  title
                ) : (
                  <span dir="auto" className="wrap-anywhere line-clamp-2 min-w-0 flex-1 text-start text-sm">
                    <span className="text-muted">{result.role === 'user' ? 'You: ' : 'Assistant: '}</span>
                    <HighlightedText text={stripInvisible(result.excerpt)} query={query} />
                  </span>
                )}
                <time dateTime={result.timestamp} className="shrink-0 text-muted text-xs tabular-nums">
                  {formatChatTime(new Date(result.timestamp), new Date())}
                </time>
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}
