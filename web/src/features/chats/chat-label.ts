import { type Chat, previewLength } from '@lyceum/contract/chats'

export const chatName = (chat: Pick<Chat, 'title'>): string => chat.title ?? 'Chat'

/** The beginning of a chat's last message, on one line. */
export const chatPreview = (chat: Pick<Chat, 'messages'>): string => {
  const last = chat.messages.at(-1)
  if (last === undefined) return 'New chat'
  // By code points: half an emoji is no preview.
  const letters = [...last.content.replaceAll(/\s+/gu, ' ').trim()]
  return letters.length > previewLength ? `${letters.slice(0, previewLength).join('')}...` : letters.join('')
}
