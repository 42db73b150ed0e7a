import type { Deps } from '../../deps.ts'
import type { ChatSelection } from './filters.ts'
import type { Sort } from './store.ts'

/** Search results in the requested order. */
export interface FoundChats {
  ids: string[]
  isCut: boolean
  isBuilding: boolean
}

export async function findChatIds(
  deps: Deps,
  searchText: string,
  selection: ChatSelection,
  { sortBy, sortOrder }: Sort,
): Promise<FoundChats> {
  const { chats, isCut, isBuilding } = await deps.messageSearch.findChats(searchText, selection)
  const sign = sortOrder === 'asc' ? 1 : -1
  const shown = selection.isNotEmpty ? chats.filter(({ messageCount }) => messageCount > 0) : chats
  const sorted = shown.toSorted((a, b) => sign * (a[sortBy] - b[sortBy] || (a.id < b.id ? -1 : 1)))
  return { ids: sorted.map(({ id }) => id), isCut, isBuilding }
}
