import { type Chat, previewLength } from '@lyceum/contract/chats'
import { stripInvisible } from '@lyceum/contract/invisible-text'

export function chatName(chat: Pick<Chat, 'title'>): string {
  return stripInvisible(chat.title ?? 'Chat')
}

/** The beginning of a chat's last message as a single line. */
export function chatPreview(chat: Pick<Chat, 'messages'>): string {
  const last = chat.messages.at(-1)
  if (last === undefined) return 'New chat'
  // Split into code points, so that no emoji is cut in half.
  const characters = [...stripInvisible(last.content).replaceAll(/\s+/gu, ' ').trim()]
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : characters.join('')
}
