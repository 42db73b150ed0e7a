import { toPlainReply, toPlainText } from '@lyceum/contract/plain-text'

const previewLength = 200

/** The beginning of a message as a single line of plain text. The sidebar truncates it further. */
export function toPreview(role: string, content: string): string {
  const text = role === 'assistant' ? toPlainReply(content) : toPlainText(content)
  return [...text].slice(0, previewLength).join('')
}
