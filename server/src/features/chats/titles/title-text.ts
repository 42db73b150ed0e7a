import { toPlainReply, toPlainText } from '@lyceum/contract/plain-text'

const maxLength = 60
/** Without a space after this many characters, a title is cut within a word. */
const minLength = 20
/** A model that writes more did not write a title. */
export const maxModelText = 300

/** At most 60 characters, cut at the end of a word if there is one. */
function shorten(text: string): string {
  const characters = [...text]
  if (characters.length <= maxLength) return text
  // One character is for the ellipsis, and the next one shows whether a word ends there.
  const kept = characters.slice(0, maxLength).join('')
  const wordEnd = kept.lastIndexOf(' ')
  const cut = wordEnd >= minLength ? kept.slice(0, wordEnd) : characters.slice(0, maxLength - 1).join('')
  return `${cut.replace(/[\s,;:.\u2013\u2014-]+$/u, '')}…`
}

/** The beginning of a question as a title; null if nothing of it is plain text. */
export function toTitle(question: string): string | null {
  const title = shorten(toPlainText(question))
  return /[\p{L}\p{N}\p{S}]/u.test(title) ? title : null
}

/** What a model wrote as a title; null if it cannot be one, for example because it answered the question. */
export function toModelTitle(text: string): string | null {
  if (text.length > maxModelText || text.trimStart().startsWith('<')) return null
  const title = toPlainReply(text)
    .replace(/^title:\s*/i, '')
    .replace(/^["'“”„«»‘’「『]+|["'“”«»‘’」』.。]+$/gu, '')
    .trim()
  return /[\p{L}\p{N}]/u.test(title) && [...title].length <= maxLength ? title : null
}
