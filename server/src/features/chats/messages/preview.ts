import type { ReplyMode } from '@lyceum/contract/chats'
import { toPlainReply, toPlainText } from '@lyceum/contract/plain-text'

const previewLength = 200

/** All replies without a model begin with the same line, so their preview is the first passage. */
function findFirstQuote(content: string): string {
  return /^>.*(?:\n>.*)*/m.exec(content)?.[0] ?? content
}

/** The beginning of a message as a single line of plain text. The sidebar truncates it further. */
export function toPreview(role: string, content: string, mode: ReplyMode | null = null): string {
  const shown = mode === 'extractive' ? findFirstQuote(content) : content
  const text = role === 'assistant' ? toPlainReply(shown) : toPlainText(shown)
  return [...text].slice(0, previewLength).join('')
}
