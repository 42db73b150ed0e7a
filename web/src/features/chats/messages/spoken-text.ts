import { stripInvisible } from '@lyceum/contract/invisible-text'

const maxSpokenLength = 1000
/** Markdown is longer than what it says. Bounds the work for a long reply. */
const maxReadLength = 4 * maxSpokenLength

const blockMarks =
  /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*+][ \t]+|(?:`{3,}|~{3,}).*|[ \t:|-]*-{3}[ \t:|-]*$)?/gm
const emphasis = /(?<![\p{L}\p{N}])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}])|\*+(?=\S)|(?<=\S)\*+|~~|`+/gu
const tableRow = /^[ \t]*\|.*$/gm

/** The text of a reply for screen readers, without Markdown syntax but with every character that means something. */
export function toSpokenText(markdown: string): string {
  const text = stripInvisible(markdown.slice(0, maxReadLength))
    .replaceAll(blockMarks, '')
    .replaceAll(tableRow, (row) => row.replaceAll('|', ' '))
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(emphasis, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > maxSpokenLength || markdown.length > maxReadLength
    ? `${text.slice(0, maxSpokenLength)}…`
    : text
}
