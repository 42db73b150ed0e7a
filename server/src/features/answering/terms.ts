import { detectWordLanguage, parseQueryWords, toTerms } from '#providers/passage-index/analyse.ts'
import { splitWords } from '#providers/passage-index/split-words.ts'

type Language = ReturnType<typeof detectWordLanguage>

/** The content words of a text as the index folds them, so that the forms of one word meet. */
export interface AnalysedText {
  terms: ReadonlySet<string>
  /** Another text's content words, folded by the language of this one. */
  termsOf(text: string): Set<string>
  /** Whether it holds any content word of a question, whatever language that is in. */
  shares(question: string): boolean
}

/** `surroundings` tell the language of a text that is too short to show it. */
export function analyse(text: string, surroundings = ''): AnalysedText {
  const words = splitWords(text)
  const own = detectWordLanguage(words)
  const language: Language = own === 'other' ? detectWordLanguage(splitWords(surroundings)) : own
  const terms = new Set(toTerms(words, language))
  return {
    terms,
    termsOf: (other) => new Set(toTerms(splitWords(other), language)),
    shares: (question) =>
      parseQueryWords(question, [language]).some(({ variants }) => variants.some((term) => terms.has(term))),
  }
}

const languages = [
  'english',
  'german',
  'french',
  'spanish',
  'italian',
  'portuguese',
  'dutch',
  'swedish',
  'russian',
] as const

/** How many content words a question has. */
export function countContentWords(question: string): number {
  return parseQueryWords(question, languages).length
}

/** Words as they are written. */
export function writtenWords(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []
}
