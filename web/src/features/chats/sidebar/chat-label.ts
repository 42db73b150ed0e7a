import { type Chat, previewLength } from '@lyceum/contract/chats'
import { stripInvisible } from '@lyceum/contract/invisible-text'

export function chatName(chat: Pick<Chat, 'title'>): string {
  return stripInvisible(chat.title ?? 'Chat')
}

/** Removes a Markdown marker at the start of the text, bold markers and backticks. Other characters stay. */
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
  const content = stripInvisible(last.content)
  const text = last.role === 'assistant' ? stripMarkdown(content) : content
  // Split into code points, so that no emoji is cut in half.
  const characters = [...text.replaceAll(/\s+/gu, ' ').trim()]
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : characters.join('')
}
