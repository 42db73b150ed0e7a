/** Longer messages are truncated before they are parsed, so that no reply can freeze the page. */
export const maxMessageLength = 256 * 1024

// Invisible characters that can hide instructions or reverse text. U+200C, U+200D and U+FE0F stay:
// Persian, the Indic scripts and emoji need them. U+FDD0 to U+FDD2 never occur in real text; maths.ts and
// unfinished-address.ts use them.
const invisible =
  /(?![\n\t])\p{Cc}|(?!\uFE0F)\p{Variation_Selector}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFDD0-\uFDEF\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

export function stripInvisible(text: string): string {
  return text.replace(invisible, '')
}

/** The displayed part of a message, and whether it was truncated. */
export function toVisibleText(message: string): { text: string; isTruncated: boolean } {
  const isTruncated = message.length > maxMessageLength
  const part = isTruncated ? message.slice(0, maxMessageLength) : message
  return { text: stripInvisible(part.replace(/\r\n?/g, '\n')), isTruncated }
}
