const listPath = '/admin/chat-history'

export function chatHistoryPath(chatId: string): string {
  return `${listPath}/${encodeURIComponent(chatId)}`
}

/** The list with the filters it had when the chat was opened. Another page may have set the history state. */
export function chatHistoryListPath(state: unknown): string {
  const search =
    typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string'
      ? state.list
      : ''
  return search.startsWith('?') ? listPath + search : listPath
}
