import { type Chat, previewLength } from '@lyceum/contract/chats'

export function chatName(chat: Pick<Chat, 'title'>): string {
  return chat.title ?? 'Chat'
}

/** Removes Markdown syntax at the start of the text, bold markers and backticks, but no other characters. */
function stripMarkdown(markdown: string): string {
  return markdown
    .replace(/^\s*(?:#{1,6}|[-*>])\s+/u, '')
    .replaceAll(/\*\*(\S|\S.*?\S)\*\*/gu, '$1')
    .replaceAll(/`+/gu, '')
}

/** The beginning of a chat's last message as a single line. */
export function chatPreview(chat: Pick<Chat, 'messages'>): string {
  const last = chat.messages.at(-1)
  if (last === undefined) return 'New chat'
  // Cut by code points, so that no emoji is cut in half.
  const text = last.role === 'assistant' ? stripMarkdown(last.content) : last.content
  const letters = [...text.replaceAll(/\s+/gu, ' ').trim()]
  return letters.length > previewLength ? `${letters.slice(0, previewLength).join('')}...` : letters.join('')
}
