import { limitMarks } from '@lyceum/contract/invisible-text'
import {
  detectWordLanguage,
  parseQueryWords,
  type QueryWord,
  selectContentWords,
  toTerms,
} from '#providers/passage-index/analyze.ts'
import { knownLanguages } from '#providers/passage-index/languages.ts'
import { splitWords } from '#providers/passage-index/word-splitter.ts'

type Language = ReturnType<typeof detectWordLanguage>

/** The content words of a text, stemmed as in the index, so that different forms of a word match. */
export interface AnalyzedText {
  language: Language
  terms: ReadonlySet<string>
  /** With repetitions. */
  inOrder: readonly string[]
  /** The content words of another text, stemmed in the language of this one. */
  extractTerms(text: string): Set<string>
  /** The same, in order and with repetitions. */
  listTerms(text: string): string[]
  /** Whether the text contains any content word of a question, in any language. */
  sharesTermWith(question: string): boolean
}

/** Uses `surroundings` to detect the language if the text is too short. */
export function analyzeText(text: string, surroundings = ''): AnalyzedText {
  const words = splitWords(text)
  const own = detectWordLanguage(words)
  const language: Language = own === 'other' ? detectWordLanguage(splitWords(surroundings)) : own
  function listTerms(other: string): string[] {
    return toTerms(splitWords(other), language)
  }
  const inOrder = toTerms(words, language)
  const terms = new Set(inOrder)
  return {
    language,
    terms,
    inOrder,
    extractTerms: (other) => new Set(listTerms(other)),
    listTerms,
    sharesTermWith: (question) =>
      parseQueryWords(question, [language]).some(({ variants }) => variants.some((term) => terms.has(term))),
  }
}

/** The content words of a text in order, stemmed in its language, with repetitions. */
export function listTerms(text: string): string[] {
  const words = splitWords(text)
  return toTerms(words, detectWordLanguage(words))
}

/** The content words of a question, each with its stem in every language. */
export function parseQuestion(question: string): QueryWord[] {
  return parseQueryWords(question, knownLanguages)
}

export function countContentWords(question: string): number {
  return new Set(selectContentWords(question, knownLanguages).map(({ text }) => text)).size
}

/** The words of a text in their original spelling. */
export function splitWrittenWords(text: string): string[] {
  return (
    limitMarks(text)
      .normalize('NFKC')
      .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []
  )
}
