// Characters nobody sees can carry instructions or break a search. U+200C, U+200D and U+FE0F stay: Persian, Indic scripts
// and emoji need them.
const invisible = /[\u00AD\u200B\u2060\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]|[\uFE00-\uFE0E]/gu

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const control = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g

/** The text without invisible and control characters; line ends become `\n`. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\f\u0085]/g, '\n')
    .replace(invisible, '')
    .replace(control, '')
    .normalize('NFC')
}

/** As cleanText, with every run of white space made one space. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u

/** Two printed lines of one paragraph as running text: broken words whole again, no spaces between Chinese or Japanese. */
export function joinLines(before: string, after: string): string {
  if (/\p{L}[-\u00AD\u2010\uFFFE]$/u.test(before) && /^\p{Ll}/u.test(after))
    return before.slice(0, -1) + after
  const glued = unspaced.test(before.slice(-1)) && unspaced.test(after.slice(0, 1))
  return glued ? before + after : `${before} ${after}`
}
