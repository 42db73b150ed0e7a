import type { Language } from './languages.ts'
import { detectLanguage, isStopWord, stemWord } from './languages.ts'
import type { IndexedPassage } from './port.ts'
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

/** The index terms of a passage, in order. */
export interface AnalyzedPassage {
  passage: IndexedPassage
  language: Language
  title: string[]
  heading: string[]
  body: string[]
}

/** Passages too short for language detection use the language of their neighbors. */
export function* analyzePassages(passages: readonly IndexedPassage[]): Generator<AnalyzedPassage> {
  const read = passages.map((passage) => ({ passage, words: splitWords(passage.text) }))
  const common = detectWordLanguage(read.flatMap(({ words }) => words.slice(0, 60)))
  for (const { passage, words } of read) {
    const own = detectWordLanguage(words)
    const language = own === 'other' ? common : own
    yield {
      passage,
      language,
      title: toTerms(splitWords(passage.title), language),
      heading: toTerms(splitWords(passage.headingPath.join('\n')), language),
      body: toTerms(words, language),
    }
  }
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
export function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index++)
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** A letter pair is also found by its single letters. */
export function* withLetters(term: string): Generator<string> {
  yield term
  const letters = Array.from(term)
  if (letters.length === 2 && term.charCodeAt(0) > 0x0e00) yield* letters
}

/** Returns the sorted hashes of a passage's distinct terms. */
export function createTermSet(terms: Iterable<string>): Uint32Array {
  const hashes = new Set<number>()
  for (const term of terms) for (const part of withLetters(term)) hashes.add(hashTerm(part))
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
