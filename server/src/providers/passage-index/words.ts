// Scripts written without spaces, and Korean, whose particles stick to the word, are indexed by pairs of letters.
const paired =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々]'
const pairedRun = new RegExp(`${paired}[${paired.slice(1, -1)}\\p{M}]*`, 'gu')
const token = /\p{N}+(?:[.,]\p{N}+)+(?![\p{L}\p{N}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’ー]*/gu
const longestWord = 48
// Most text needs none of the finer work: these tell so quickly.
const mayBePaired = /[\u0e00-\uffff]/
const isPlain = /^[a-z0-9]+$/

export type Word = { text: string; isPair: boolean }

const transliterated: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Without the marks above and below Latin, Greek and Cyrillic letters; other scripts need theirs. */
export function fold(word: string): string {
  return isPlain.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/[ßæœøłđı]/g, (letter) => transliterated[letter] ?? letter)
        .normalize('NFC')
}

/** 1,200 and 1.200 and 1200 are one number; 38.5 and 38,5 another. */
function numberWord(text: string): string {
  return text.replace(/[.,](?=\d{3}(?:[.,]|$))/g, '').replace(/[.,]/g, 'd')
}

/** l'entreprise and the employee's are found by their nouns. */
function bare(text: string): string {
  if (isPlain.test(text)) return text
  const plain = text.replaceAll('’', "'").replace(/'+$/, '')
  const owned = plain.replace(/'s$/, '')
  const cut = owned.indexOf("'")
  const noun = cut > 0 && cut <= 2 ? owned.slice(cut + 1) : owned
  return noun.replaceAll("'", '')
}

function* pairs(run: string): Generator<Word> {
  const letters = Array.from(run.normalize('NFC'))
  if (letters.length === 1) yield { text: run, isPair: true }
  for (let index = 1; index < letters.length; index++) {
    yield { text: `${letters[index - 1]}${letters[index]}`, isPair: true }
  }
}

function* split(text: string): Generator<Word> {
  let at = 0
  for (const match of mayBePaired.test(text) ? text.matchAll(pairedRun) : []) {
    if (match.index > at) yield { text: text.slice(at, match.index), isPair: false }
    yield* pairs(match[0])
    at = match.index + match[0].length
  }
  if (at < text.length) yield { text: text.slice(at), isPair: false }
}

/** The words of a text as they are compared, before anything that depends on the language. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const even = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])(\p{Ll})[-‐‑](?=\p{Ll}{3})/gu, '$1')
  for (const [match] of even.matchAll(token)) {
    if (/[.,]/.test(match)) words.push({ text: numberWord(match), isPair: false })
    else {
      for (const word of split(match)) {
        const own = word.isPair ? word.text : bare(word.text).slice(0, longestWord)
        if (own) words.push({ text: own, isPair: word.isPair })
      }
    }
  }
  return words
}
