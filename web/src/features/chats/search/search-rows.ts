import type { SearchResult } from './search-query.ts'

/** How many messages of a chat are shown until the user asks for the others. */
const maxMessages = 3

/** A row that can be selected: a result, or the number of results that are hidden. */
export type SearchRow =
  | { type: 'result'; result: SearchResult }
  | { type: 'more'; chatId: string; count: number; hasUnloaded: boolean }

/** The rows of one chat. */
export interface SearchGroup {
  first: SearchResult
  rows: SearchRow[]
}

/** The server sends the results of a chat one after the other, its title first. */
function groupByChat(items: readonly SearchResult[]): SearchResult[][] {
  const groups: SearchResult[][] = []
  for (const result of items) {
    const last = groups.at(-1)
    if (last?.[0]?.chatId === result.chatId) last.push(result)
    else groups.push([result])
  }
  return groups
}

/** Groups the loaded results by chat. `hasMore` is true if there are others that are not loaded yet. */
export function groupResults(
  items: readonly SearchResult[],
  expandedIds: ReadonlySet<string>,
  hasMore: boolean,
): SearchGroup[] {
  const groups = groupByChat(items)
  return groups.flatMap((results, index) => {
    const [first] = results
    if (first === undefined) return []
    const { chatId, messageId } = first
    const firstCount = maxMessages + (messageId === null ? 1 : 0)
    const shown = expandedIds.has(chatId) ? results : results.slice(0, firstCount)
    const rows: SearchRow[] = shown.map((result) => ({ type: 'result', result }))
    const count = results.length - shown.length
    // The next page begins where this chat's results ended.
    const hasUnloaded = hasMore && index === groups.length - 1
    if (count > 0) rows.push({ type: 'more', chatId, count, hasUnloaded })
    return [{ first, rows }]
  })
}
