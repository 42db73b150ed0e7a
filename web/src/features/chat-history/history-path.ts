const listPath = '/admin/chat-history'

export const historyPath = (chatId: string): string => `${listPath}/${encodeURIComponent(chatId)}`

/** The list as it was when a chat was opened from it. What the history of the browser holds may be from elsewhere. */
export const listPathFrom = (state: unknown): string => {
  const search =
    typeof state === 'object' && state !== null && 'list' in state && typeof state.list === 'string'
      ? state.list
      : ''
  return search.startsWith('?') ? listPath + search : listPath
}
