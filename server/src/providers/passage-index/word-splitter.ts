import { limitMarks } from '@lyceum/contract/invisible-text'

// Scripts without spaces are indexed by letter pairs, and so is Korean, whose particles are attached to words.
const pairedScripts =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々]'
const pairedRun = new RegExp(`${pairedScripts}[${pairedScripts.slice(1, -1)}\\p{M}]*`, 'gu')
const token = /\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{N}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’ー]*/gu
const maxWordLength = 48
// Fast checks, because most text needs no special handling.
const pairedRange = /[\u0e00-\uffff]/
const plainWord = /^[a-z0-9]+$/

export type Word = { text: string; isPair: boolean }

const transliterated: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Removes diacritics from Latin, Greek and Cyrillic letters. Other scripts need theirs. */
export function removeDiacritics(word: string): string {
  return plainWord.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/[ßæœøłđı]/g, (letter) => transliterated[letter] ?? letter)
        .normalize('NFC')
}

/** Normalizes numbers: 1,200 and 1.200 equal 1200, and 38.5 equals 38,5. */
function normalizeNumber(text: string): string {
  return text.replace(/[.,](?=\d{3}(?:[.,]|$))/g, '').replace(/[.,]/g, 'd')
}

/** Not with a pattern for the end: it would search the rest of a long run of apostrophes again and again. */
function trimApostrophes(text: string): string {
  let end = text.length
  while (text[end - 1] === "'") end -= 1
  return text.slice(0, end)
}

/** Reduces words with apostrophes, such as l'entreprise and employee's, to the noun. */
function removeApostrophes(text: string): string {
  if (plainWord.test(text)) return text
  const plain = trimApostrophes(text.replaceAll('’', "'"))
  const withoutPossessive = plain.replace(/'s$/, '')
  const cut = withoutPossessive.indexOf("'")
  const noun = cut > 0 && cut <= 2 ? withoutPossessive.slice(cut + 1) : withoutPossessive
  return noun.replaceAll("'", '')
}

function* splitIntoPairs(run: string): Generator<Word> {
  const letters = Array.from(run.normalize('NFC'))
  if (letters.length === 1) yield { text: run, isPair: true }
  for (let index = 1; index < letters.length; index++) {
    yield { text: `${letters[index - 1]}${letters[index]}`, isPair: true }
  }
}

function* splitScripts(text: string): Generator<Word> {
  let at = 0
  for (const match of pairedRange.test(text) ? text.matchAll(pairedRun) : []) {
    if (match.index > at) yield { text: text.slice(at, match.index), isPair: false }
    yield* splitIntoPairs(match[0])
    at = match.index + match[0].length
  }
  if (at < text.length) yield { text: text.slice(at), isPair: false }
}

/** Splits a text into normalized words, independently of the language. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  const normalized = limitMarks(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])(\p{Ll})[-‐‑](?=\p{Ll}{3})/gu, '$1')
  for (const [match] of normalized.matchAll(token)) {
    if (/[.,]/.test(match)) words.push({ text: normalizeNumber(match), isPair: false })
    else {
      for (const word of splitScripts(match)) {
        const part = word.isPair ? word.text : removeApostrophes(word.text).slice(0, maxWordLength)
        if (part) words.push({ text: part, isPair: word.isPair })
      }
    }
  }
  return words
}
