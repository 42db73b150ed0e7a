/**
 * The path of a list with the search and filters it had when one of its entries was opened: links to entries put them
 * into the history state. Another page may have set that state.
 */
export function restoreListPath(path: string, state: unknown): string {
  const search =
    typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string'
      ? state.list
      : ''
  return search.startsWith('?') ? path + search : path
}

/** The history state for a link to an entry. `search` is that of the list's address, without the question mark. */
export function toListState(search: string): { list: string } {
  return { list: search === '' ? '' : `?${search}` }
}
