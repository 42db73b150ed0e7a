import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { controlStyle, singleLineHeight } from '#ui/control-style.ts'
import { cx } from '#ui/cx.ts'
import { Loading } from '#ui/Spinner.tsx'
import { SearchResultList } from './SearchResultList.tsx'
import { chatSearchQuery, type SearchResult } from './search-query.ts'
import { groupResults, type SearchRow } from './search-rows.ts'

/** A pause in typing of this length starts the search. */
const debounceMs = 250
const maxQueryLength = 200

const noChats: ReadonlySet<string> = new Set()

/** The state of the search for screen readers. */
function getAnnouncement(query: string, count: number | null, isBusy: boolean): string {
  if (query === '' || count === null || isBusy) return ''
  if (count === 0) return 'Nothing found.'
  return formatCount(count, 'result')
}

interface Props {
  channelId: string
  /** Called with the result and the words that were searched. */
  onChoose: (result: SearchResult, words: string) => void
}

/** Searches the user's chats while they type. The arrow keys select a result, Enter opens it. */
export function ChatSearch({ channelId, onChoose }: Props) {
  const [text, setText] = useState('')
  const [isThisChannelOnly, setIsThisChannelOnly] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  /** The chats whose results are all shown. */
  const [expandedIds, setExpandedIds] = useState(noChats)
  const id = useId()
  const query = useDebounced(text.trim(), debounceMs)
  const search = useInfiniteQuery(chatSearchQuery(query, isThisChannelOnly ? channelId : null))
  const items = query === '' ? [] : (search.data?.items ?? [])
  const groups = groupResults(items, expandedIds, search.hasNextPage)
  const rows = groups.flatMap((group) => group.rows)
  function optionId(index: number): string {
    return `${id}-${index}`
  }
  const isBusy = query !== '' && search.isFetching

  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the first result of another search
  useEffect(() => {
    setActiveIndex(0)
    setExpandedIds(noChats)
  }, [query, isThisChannelOnly])

  /** Opens a result, or shows the hidden results of a chat, the first of which is then selected. */
  function choose(row: SearchRow): void {
    if (row.type === 'result') onChoose(row.result, query)
    else setExpandedIds(new Set([...expandedIds, row.chatId]))
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || rows.length === 0) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    const row = rows[activeIndex]
    if (step !== undefined) {
      const next = (activeIndex + step + rows.length) % rows.length
      setActiveIndex(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && row !== undefined && !search.isPlaceholderData) choose(row)
    else return
    event.preventDefault()
  }

  return (
    <div className="flex flex-col gap-2">
      <span className="relative block">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <input
          type="search"
          role="combobox"
          aria-label="Search your chats"
          aria-autocomplete="list"
          aria-expanded={rows.length > 0}
          aria-controls={id}
          aria-activedescendant={rows.length > 0 ? optionId(activeIndex) : undefined}
          autoComplete="off"
          enterKeyHint="go"
          dir="auto"
          placeholder="Words or a title"
          maxLength={maxQueryLength}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={handleKeyDown}
          className={cx(controlStyle, singleLineHeight, 'pl-9')}
        />
      </span>
      <Checkbox
        label="This channel only"
        checked={isThisChannelOnly}
        onChange={(event) => setIsThisChannelOnly(event.target.checked)}
      />
      <p role="status" className="sr-only">
        {getAnnouncement(query, search.data?.total ?? null, isBusy)}
      </p>
      <div aria-busy={isBusy} className={cx('min-h-40', search.isPlaceholderData && 'opacity-60')}>
        {query === '' && (
          <p className="px-3 py-6 text-center text-muted text-sm">Only your own chats are searched.</p>
        )}
        {query !== '' && search.isPending && <Loading label="Searching…" />}
        {query !== '' && search.isError && (
          <div role="alert" className="flex flex-col items-center gap-3 px-3 py-6 text-sm">
            <p className="text-danger">{messageOf(search.error, texts.chat.searchFailed)}</p>
            <Button size="small" onClick={() => void search.refetch()}>
              Try again
            </Button>
          </div>
        )}
        {query !== '' && search.isSuccess && items.length === 0 && (
          <p className="wrap-anywhere px-3 py-6 text-center text-muted text-sm">
            Nothing found for “<bdi>{query}</bdi>”.
          </p>
        )}
        <SearchResultList
          id={id}
          channelId={channelId}
          groups={groups}
          query={query}
          activeIndex={activeIndex}
          optionId={optionId}
          onHover={setActiveIndex}
          onChoose={choose}
        />
        {search.hasNextPage && query !== '' && (
          <Button
            variant="ghost"
            size="small"
            busy={search.isFetchingNextPage}
            onClick={() => void search.fetchNextPage()}
            className="mt-1 w-full"
          >
            Show more
          </Button>
        )}
      </div>
    </div>
  )
}
