import type { Language } from './languages.ts'
import { detectLanguage, isStopWord, stemWord } from './languages.ts'
import type { Word } from './words.ts'
import { fold, wordsOf } from './words.ts'

function termOf(word: Word, language: Language): string {
  return word.isPair ? word.text : fold(stemWord(word.text, language))
}

function plainWords(words: readonly Word[]): string[] {
  return words.filter((word) => !word.isPair).map((word) => word.text)
}

export function languageOf(words: readonly Word[]): Language {
  return detectLanguage(plainWords(words.slice(0, 400)))
}

/** The terms under which words are indexed, in order. */
export function termsOf(words: readonly Word[], language: Language): string[] {
  return words.filter((word) => !isStopWord(word.text, language)).map((word) => termOf(word, language))
}

/** A word of a question: the terms it may be indexed under, one for each language that the documents are in. */
export interface QueryWord {
  variants: string[]
  /** A single letter of a script indexed by pairs is found as the beginning of one. */
  isPrefix: boolean
}

const mostWords = 64

// Letters of Chinese that make questions and sentences, not subjects; in Japanese whatever is in hiragana alone does that.
const silentPair = /[的了吗呢吧啊么什怎哪谁几多少是在有和与及就也都这那们]|^\p{Script=Hiragana}+$/u
function isSilentPair(word: Word): boolean {
  return word.isPair && silentPair.test(word.text)
}

/** A question's content words. Its own language is guessed among those of the documents, else all their small words go. */
export function queryWords(text: string, languages: readonly Language[]): QueryWord[] {
  const words = wordsOf(text)
  const own = detectLanguage(plainWords(words), languages)
  const silent = own === 'other' ? languages : [own]
  const found = new Map<string, QueryWord>()
  const spoken = words.filter((word) => !silent.some((language) => isStopWord(word.text, language)))
  const telling = spoken.filter((word) => !isSilentPair(word))
  for (const word of telling.length > 0 ? telling : spoken) {
    const variants = [...new Set([...languages, 'other' as const].map((language) => termOf(word, language)))]
    const isPrefix = word.isPair && Array.from(word.text).length === 1
    const key = variants[0] ?? word.text
    if (!found.has(key)) found.set(key, { variants, isPrefix })
    if (found.size >= mostWords) break
  }
  return [...found.values()]
}

/** A term as a number, so that the terms of a passage fit into a short list. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** The different terms of a passage in rising order of their hashes; letters of pairs stand for themselves too. */
export function termSet(terms: Iterable<string>): Uint32Array {
  const hashes = new Set<number>()
  for (const term of terms) {
    hashes.add(hashOf(term))
    const letters = Array.from(term)
    if (letters.length === 2 && term.charCodeAt(0) > 0x0e00)
      for (const letter of letters) hashes.add(hashOf(letter))
  }
  return Uint32Array.from(hashes).sort()
}

export function hasTerm(set: Uint32Array, term: string): boolean {
  const wanted = hashOf(term)
  let [low, high] = [0, set.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((set[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return set[low] === wanted
}
