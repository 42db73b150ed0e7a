import { type Chat, previewLength } from '@lyceum/contract/chats'

export function chatName(chat: Pick<Chat, 'title'>): string {
  return chat.title ?? 'Chat'
}

/** A reply's text without what only lays it out. In the middle of a line a lone sign is what the reply says. */
function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^\s*(?:#{1,6}|[-*>])\s+/u, '')
    .replaceAll(/\*\*(\S|\S.*?\S)\*\*/gu, '$1')
    .replaceAll(/`+/gu, '')
}

/** The beginning of a chat's last message, on one line. */
export function chatPreview(chat: Pick<Chat, 'messages'>): string {
  const last = chat.messages.at(-1)
  if (last === undefined) return 'New chat'
  // By code points: half an emoji is no preview.
  const text = last.role === 'assistant' ? withoutMarks(last.content) : last.content
  const letters = [...text.replaceAll(/\s+/gu, ' ').trim()]
  return letters.length > previewLength ? `${letters.slice(0, previewLength).join('')}...` : letters.join('')
}
