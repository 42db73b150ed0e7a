import { type Chat, previewLength } from '@lyceum/contract/chats'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { toPlainReply, toPlainText } from '@lyceum/contract/plain-text'

export function chatName(chat: Pick<Chat, 'title'>): string {
  return stripInvisible(chat.title ?? 'Chat')
}

/** The beginning of a chat's last message as a single line. */
export function chatPreview(chat: Pick<Chat, 'messages'>): string {
  const last = chat.messages.at(-1)
  if (last === undefined) return 'New chat'
  // The server sends plain text; previews that an earlier version stored may contain Markdown.
  const text = last.role === 'assistant' ? toPlainReply(last.content) : toPlainText(last.content)
  // Split into code points, so that no emoji is cut in half.
  const characters = [...text]
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : characters.join('')
}
