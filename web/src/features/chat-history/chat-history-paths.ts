export const chatHistoryListPath = '/admin/chat-history'

export function chatHistoryPath(chatId: string): string {
  return `${chatHistoryListPath}/${encodeURIComponent(chatId)}`
}
