import type { Language } from './languages.ts'
import { detectLanguage, isStopWord, stemWord } from './languages.ts'
import type { Word } from './word-splitter.ts'
import { removeDiacritics, splitWords } from './word-splitter.ts'

function toTerm(word: Word, language: Language): string {
  return word.isPair ? word.text : removeDiacritics(stemWord(word.text, language))
}

function getPlainWords(words: readonly Word[]): string[] {
  return words.filter((word) => !word.isPair).map((word) => word.text)
}

export function detectWordLanguage(words: readonly Word[]): Language {
  return detectLanguage(getPlainWords(words.slice(0, 400)))
}

/** Returns the index terms of the words, in order, without stop words. */
export function toTerms(words: readonly Word[], language: Language): string[] {
  return words.filter((word) => !isStopWord(word.text, language)).map((word) => toTerm(word, language))
}

/** A word of a question with the terms it may be indexed under, one per language of the documents. */
export interface QueryWord {
  variants: string[]
  /** Matches as a prefix: a single letter in a script that is indexed by letter pairs. */
  isPrefix: boolean
}

const maxWords = 64

// Chinese function characters, and Japanese words written only in hiragana. They carry grammar, not the subject.
const stopPair = /[的了吗呢吧啊么什怎哪谁几多少是在有和与及就也都这那们]|^\p{Script=Hiragana}+$/u
function isStopPair(word: Word): boolean {
  return word.isPair && stopPair.test(word.text)
}

/**
 * Returns the content words of a question. Its language is detected among those of the documents; if that fails, the
 * stop words of all of them are removed.
 */
export function parseQueryWords(text: string, languages: readonly Language[]): QueryWord[] {
  const words = splitWords(text)
  const questionLanguage = detectLanguage(getPlainWords(words), languages)
  const stopWordLanguages = questionLanguage === 'other' ? languages : [questionLanguage]
  const found = new Map<string, QueryWord>()
  const withoutStopWords = words.filter(
    (word) => !stopWordLanguages.some((language) => isStopWord(word.text, language)),
  )
  const contentWords = withoutStopWords.filter((word) => !isStopPair(word))
  for (const word of contentWords.length > 0 ? contentWords : withoutStopWords) {
    const variants = [...new Set([...languages, 'other' as const].map((language) => toTerm(word, language)))]
    const isPrefix = word.isPair && Array.from(word.text).length === 1
    const key = variants[0] ?? word.text
    if (!found.has(key)) found.set(key, { variants, isPrefix })
    if (found.size >= maxWords) break
  }
  return [...found.values()]
}

/** Hashes a term (FNV-1a), so that the terms of a passage fit into a compact list. */
function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Returns the sorted hashes of a passage's distinct terms. Letter pairs add their single letters too. */
export function createTermSet(terms: Iterable<string>): Uint32Array {
  const hashes = new Set<number>()
  for (const term of terms) {
    hashes.add(hashTerm(term))
    const letters = Array.from(term)
    if (letters.length === 2 && term.charCodeAt(0) > 0x0e00)
      for (const letter of letters) hashes.add(hashTerm(letter))
  }
  return Uint32Array.from(hashes).sort()
}

export function hasTerm(set: Uint32Array, term: string): boolean {
  const wanted = hashTerm(term)
  let [low, high] = [0, set.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((set[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return set[low] === wanted
}
