// Invisible characters can carry hidden instructions or break search. U+200C, U+200D and U+FE0F are kept, because
// Persian, Indic scripts and emoji need them.
const invisible = /[\u00AD\u200B\u2060\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]|[\uFE00-\uFE0E]/gu

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const control = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g

/** Removes invisible and control characters and converts line endings to `\n`. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\f\u0085]/g, '\n')
    .replace(invisible, '')
    .replace(control, '')
    .normalize('NFC')
}

/** Like `cleanText`, and collapses whitespace to single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

/** Whether the character at `at`, counted from the end if negative, is written without spaces between words. */
export function isUnspacedAt(text: string, at: number): boolean {
  return unspaced.test(text.at(at) ?? '')
}

/** Joins two lines of a paragraph: rejoins hyphenated words and adds no space in Chinese or Japanese. */
export function joinLines(before: string, after: string): string {
  if (/\p{L}[-\u00AD\u2010\uFFFE]$/u.test(before.slice(-3)) && /^\p{Ll}/u.test(after))
    return before.slice(0, -1) + after
  const isUnspaced = isUnspacedAt(before, -1) && isUnspacedAt(after, 0)
  return isUnspaced ? before + after : `${before} ${after}`
}
