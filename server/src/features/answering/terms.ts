import { languageOf, queryWords, termsOf } from '#providers/passage-index/analyse.ts'
import { wordsOf } from '#providers/passage-index/words.ts'

type Language = ReturnType<typeof languageOf>

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
  const words = wordsOf(text)
  const own = languageOf(words)
  const language: Language = own === 'other' ? languageOf(wordsOf(surroundings)) : own
  const terms = new Set(termsOf(words, language))
  return {
    terms,
    termsOf: (other) => new Set(termsOf(wordsOf(other), language)),
    shares: (question) =>
      queryWords(question, [language]).some(({ variants }) => variants.some((term) => terms.has(term))),
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
  return queryWords(question, languages).length
}

/** Words as they are written. */
export function writtenWords(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*/gu) ?? []
}
