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

export interface Word {
  text: string
  /** Of a script that is indexed by letter pairs. */
  isPair: boolean
  /** Instead of a pair: the only letter between other scripts. */
  isSingle: boolean
}

// A letter with its vowel signs and tone marks. Unicode counts two signs of Thai and Lao as letters.
const letter = /[^\p{M}\u0e33\u0eb3][\p{M}\u0e33\u0eb3]*/gu

function splitIntoLetters(run: string): readonly string[] {
  return run.match(letter) ?? [run]
}

const pairedStart = new RegExp(`^${pairedScripts}`, 'u')

/** The letters of a pair; empty for other terms. */
export function splitPair(term: string): readonly string[] {
  if (!pairedRange.test(term) || !pairedStart.test(term)) return []
  const letters = splitIntoLetters(term)
  return letters.length === 2 ? letters : []
}

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

/** Puts the tone mark of open syllables on the vowel where the older spelling has it: hoà and hòa are one word. */
export function normalizeVietnamese(word: string): string {
  return plainWord.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/([ou])([aey])([\u0300\u0301\u0303\u0309\u0323])$/, '$1$3$2')
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
  const letters = splitIntoLetters(run)
  if (letters.length === 1) yield { text: run, isPair: true, isSingle: true }
  for (let index = 1; index < letters.length; index++)
    yield { text: `${letters[index - 1]}${letters[index]}`, isPair: true, isSingle: false }
}

function* splitScripts(text: string): Generator<Word> {
  let at = 0
  for (const match of pairedRange.test(text) ? text.matchAll(pairedRun) : []) {
    if (match.index > at) yield { text: text.slice(at, match.index), isPair: false, isSingle: false }
    yield* splitIntoPairs(match[0])
    at = match.index + match[0].length
  }
  if (at < text.length) yield { text: text.slice(at), isPair: false, isSingle: false }
}

/** Splits a text into normalized words, independently of the language. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  const normalized = limitMarks(text)
    .normalize('NFKC')
    // NFKC takes these two apart, and the vowel would count as a letter.
    .replace(/\u0e4d([\u0e48-\u0e4b]?)\u0e32/g, '$1\u0e33')
    .replace(/\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g, '$1\u0eb3')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])(\p{Ll})[-‐‑](?=\p{Ll}{3})/gu, '$1')
  for (const [match] of normalized.matchAll(token)) {
    if (/[.,]/.test(match)) words.push({ text: normalizeNumber(match), isPair: false, isSingle: false })
    else {
      for (const word of splitScripts(match)) {
        const part = word.isPair ? word.text : removeApostrophes(word.text).slice(0, maxWordLength)
        if (part) words.push({ ...word, text: part })
      }
    }
  }
  return words
}
