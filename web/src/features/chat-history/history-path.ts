const listPath = '/admin/chat-history'

export function historyPath(chatId: string): string {
  return `${listPath}/${encodeURIComponent(chatId)}`
}

/** The list as it was when a chat was opened from it. What the history of the browser holds may be from elsewhere. */
export function listPathFrom(state: unknown): string {
  const search =
    typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string'
      ? state.list
      : ''
  return search.startsWith('?') ? listPath + search : listPath
}
