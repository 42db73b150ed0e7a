import { stripInvisible } from '@lyceum/contract/invisible-text'
import { ChevronDown, MessageSquare } from 'lucide-react'
import { formatChatTime } from '#lib/chat-time.ts'
import { cx } from '#ui/cx.ts'
import { chatName } from '../sidebar/chat-label.ts'
import type { SearchResult } from './search-query.ts'
import type { SearchGroup, SearchRow } from './search-rows.ts'
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

interface TitleProps {
  result: SearchResult
  query: string
  isOtherChannel: boolean
}

function ChatTitle({ result, query, isOtherChannel }: TitleProps) {
  return (
    <span className="flex min-w-0 flex-1 items-baseline gap-1.5 text-sm">
      <MessageSquare aria-hidden="true" className="size-3.5 shrink-0 self-center text-muted" />
      <bdi className="truncate font-medium">
        <HighlightedText text={chatName(result)} query={query} />
      </bdi>
      {isOtherChannel && (
        <bdi className="max-w-[50%] shrink-0 truncate text-muted text-xs">in {result.channelName}</bdi>
      )}
    </span>
  )
}

function Message({ result, query }: Omit<TitleProps, 'isOtherChannel'>) {
  return (
    <span dir="auto" className="wrap-anywhere line-clamp-2 min-w-0 flex-1 ps-5 text-start text-sm">
      <span className="text-muted">{result.role === 'user' ? 'You: ' : 'Assistant: '}</span>
      <HighlightedText text={stripInvisible(result.excerpt)} query={query} />
    </span>
  )
}

function moreLabel({ count, hasUnloaded }: Extract<SearchRow, { type: 'more' }>): string {
  return hasUnloaded ? `At least ${count} more in this chat` : `${count} more in this chat`
}

/** What a row shows. */
function RowContent({ row, ...title }: { row: SearchRow } & Omit<TitleProps, 'result'>) {
  if (row.type === 'more')
    return (
      <span className="flex items-center gap-1 ps-5 text-link text-sm">
        {moreLabel(row)}
        <ChevronDown aria-hidden="true" className="size-3.5" />
      </span>
    )
  const { result } = row
  return (
    <>
      {result.messageId === null ? (
        <ChatTitle result={result} {...title} />
      ) : (
        <Message result={result} query={title.query} />
      )}
      <time dateTime={result.timestamp} className="shrink-0 text-muted text-xs tabular-nums">
        {formatChatTime(new Date(result.timestamp), new Date())}
      </time>
    </>
  )
}

function rowKey(row: SearchRow): string {
  return row.type === 'more' ? 'more' : (row.result.messageId ?? 'title')
}

interface Props {
  id: string
  /** The channel whose chats need no name of a channel. */
  channelId: string
  groups: readonly SearchGroup[]
  query: string
  /** Index of the row that Enter chooses. */
  activeIndex: number
  optionId: (index: number) => string
  onHover: (index: number) => void
  onChoose: (row: SearchRow) => void
}

/** The results by chat, each below its title. A title that matches is a result itself. */
export function SearchResultList({
  id,
  channelId,
  groups,
  query,
  activeIndex,
  optionId,
  onHover,
  onChoose,
}: Props) {
  const allRows = groups.flatMap(({ rows }) => rows)
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Search results"
      className="flex flex-col gap-3"
      // The focus stays in the search field, whose arrow keys select a result.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ first, rows }) => {
        const isOtherChannel = first.channelId !== channelId
        const title = { query, isOtherChannel }
        const name = isOtherChannel ? `${chatName(first)}, ${first.channelName}` : chatName(first)
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group options
          <div key={first.chatId} role="group" aria-label={name}>
            {first.messageId !== null && (
              <div className="px-3 py-1">
                <ChatTitle result={first} {...title} />
              </div>
            )}
            {rows.map((row) => {
              const index = allRows.indexOf(row)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and handles the keys
                <div
                  key={rowKey(row)}
                  id={optionId(index)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === activeIndex}
                  onPointerMove={() => onHover(index)}
                  onClick={() => onChoose(row)}
                  className={cx(
                    'flex cursor-pointer items-baseline gap-2 rounded-control px-3 py-1',
                    index === activeIndex && 'bg-primary-100 dark:bg-control/20',
                  )}
                >
                  <RowContent row={row} {...title} />
                </div>
              )
            })}
          </div>
        )
      })}
    </div>
  )
}
