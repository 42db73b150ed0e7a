// Invisible characters that can hide instructions or reverse text. U+200C, U+200D and U+FE0F stay:
// Persian, the Indic scripts and emoji need them. U+FDD0 to U+FDD2 never occur in real text; the client's
// renderer of replies uses them as marks (maths.ts, unfinished-address.ts).
const invisible =
  /(?![\n\t])\p{Cc}|(?!\uFE0F)\p{Variation_Selector}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFDD0-\uFDEF\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

// The limit of Unicode's stream-safe text format. Browsers need quadratic time for the marks of one character.
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

/** Before a text is normalized, which takes quadratic time for a long row of different marks. */
export function limitMarks(text: string): string {
  return text.replace(tooManyMarks, '$1')
}

/** For texts by others. In the client, `Reply` calls it itself. */
export function stripInvisible(text: string): string {
  return limitMarks(text.replace(invisible, ''))
}

const zeroWidth = /[\u00AD\u180E\u200B\u2060-\u2065\u206A-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/**
 * For names: zero-width spaces, tag characters and others without any effect, with which one name can look like another.
 * They come along unnoticed when text is pasted, so a message about them would puzzle the user.
 */
export function stripZeroWidth(text: string): string {
  return text.replace(zeroWidth, '')
}
