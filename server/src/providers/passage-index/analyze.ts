import {
  detectLanguage,
  guessLanguages,
  isStopWord,
  knownLanguages,
  type Language,
  stemWord,
} from './languages.ts'
import type { IndexedPassage } from './port.ts'
import { normalizeVietnamese, removeDiacritics, splitWords, type Word } from './word-splitter.ts'

function toTerm({ text, isPair }: Word, language: Language): string {
  if (isPair) return text
  // Without its marks, a Vietnamese word is another word.
  return language === 'vietnamese' ? normalizeVietnamese(text) : removeDiacritics(stemWord(text, language))
}

/** Words of scripts that are split into pairs count as words of another language. */
export function detectWordLanguage(words: readonly Word[]): Language {
  return detectLanguage(words.slice(0, 400).map(({ text, isPair }) => (isPair ? '' : text)))
}

/** Returns the index terms of the words, in order, without stop words. */
export function toTerms(words: readonly Word[], language: Language): string[] {
  return words.filter((word) => !isStopWord(word.text, language)).map((word) => toTerm(word, language))
}

/** A term that only a question without Vietnamese marks asks for. No word begins like it. */
function toUnmarkedTerm(text: string): string {
  return `0${removeDiacritics(text)}`
}

/** Terms by which questions that are typed without marks find a Vietnamese text. */
function listUnmarkedTerms(words: readonly Word[], language: Language): string[] {
  if (language !== 'vietnamese') return []
  return words.filter((word) => !isStopWord(word.text, language)).map(({ text }) => toUnmarkedTerm(text))
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
      body: [...toTerms(words, language), ...listUnmarkedTerms(words, language)],
    }
  }
}

/** A word of a question with the terms it may be indexed under, one per language of the documents. */
export interface QueryWord {
  variants: string[]
  /** How often the question has it. */
  count: number
  /** A letter pair of two neighboring words. It helps to rank passages but says little about what they are about. */
  isAcrossWords: boolean
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
 * The content words of a question, in order. Its language is guessed among those given; the stop words of all that it
 * may be are removed.
 */
export function selectContentWords(text: string, languages: readonly Language[]): Word[] {
  const words = splitWords(text)
  const known = languages.filter((language) => language !== 'other')
  const guessed = guessLanguages(
    words.filter(({ isPair }) => !isPair).map((word) => word.text),
    // The documents may all be too short to tell their language.
    known.length > 0 ? known : knownLanguages,
  )
  const withoutStopWords = words.filter(
    (word) => !guessed.some((language) => isStopWord(word.text, language)),
  )
  const contentWords = withoutStopWords.filter((word) => !isStopPair(word))
  return contentWords.length > 0 ? contentWords : withoutStopWords
}

/** Returns how a word of this question may be indexed in documents of these languages. */
function createVariantLookup(
  question: string,
  languages: readonly Language[],
): (word: Word) => readonly string[] {
  function listStems(word: Word): string[] {
    return [...languages, 'other' as const].map((language) => toTerm(word, language))
  }
  if (!languages.includes('vietnamese')) return listStems
  const words = splitWords(question)
  const isMarked = words.some(({ text }) => removeDiacritics(text) !== text)
  const language = detectLanguage(
    words.map(({ text }) => text),
    languages,
  )
  // With marks, a Vietnamese word is found in this spelling only: without them it would be another one.
  if (isMarked && (language === 'vietnamese' || vietnameseLetter.test(question.normalize('NFC'))))
    return (word) =>
      removeDiacritics(word.text) === word.text ? listStems(word) : [toTerm(word, 'vietnamese')]
  const others = languages.filter((other) => other !== 'vietnamese')
  return isMarked || (language !== 'other' && language !== 'vietnamese')
    ? listStems
    : (word) => [...others.map((other) => toTerm(word, other)), toUnmarkedTerm(word.text)]
}

/** No other language has these. */
const vietnameseLetter = /[ơưạ-ỹ]/i

/** Splits scripts without spaces by their dictionaries. The locale does not matter to it. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The letter pairs within the words of a question in a script without spaces. */
function findPairsWithinWords(question: string): Set<string> {
  const words = Array.from(segmenter.segment(question), ({ segment }) => segment)
  return new Set(
    words.flatMap((word) =>
      splitWords(word).flatMap(({ text, isPair, isSingle }) => (isPair && !isSingle ? text : [])),
    ),
  )
}

/** Returns the content words of a question with their terms in these languages. */
export function parseQueryWords(text: string, languages: readonly Language[]): QueryWord[] {
  const listVariants = createVariantLookup(text, languages)
  const found = new Map<string, QueryWord>()
  const words = selectContentWords(text, languages)
  const pairs = words.some(({ isPair }) => isPair) ? findPairsWithinWords(text) : new Set()
  for (const word of words) {
    const variants = [...new Set(listVariants(word))]
    const key = variants[0] ?? word.text
    const known = found.get(key)
    if (known) known.count += 1
    else if (found.size < maxWords)
      found.set(key, {
        variants,
        count: 1,
        isAcrossWords: word.isPair && pairs.size > 0 && !pairs.has(word.text),
        isPrefix: word.isSingle,
      })
  }
  return [...found.values()]
}
