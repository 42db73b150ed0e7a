// Invisible characters that can hide instructions or reverse text. U+200C, U+200D and U+FE0F stay:
// Persian, the Indic scripts and emoji need them. U+FDD0 to U+FDD2 never occur in real text; the renderer
// of replies uses them as marks (maths.ts, unfinished-address.ts).
const invisible =
  /(?![\n\t])\p{Cc}|(?!\uFE0F)\p{Variation_Selector}|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFDD0-\uFDEF\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

/** Call for every text by others that is not shown by `Reply`, which calls it itself. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, '')
}
