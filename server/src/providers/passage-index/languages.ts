import { createRequire } from 'node:module'
import { stopWordLists } from './stop-lists.ts'

type KnownLanguage = keyof typeof stopWordLists
export type Language = KnownLanguage | 'other'

export const knownLanguages = Object.keys(stopWordLists) as KnownLanguage[]

const languagesByStopWord = new Map<string, KnownLanguage[]>()
for (const language of knownLanguages)
  for (const word of new Set(stopWordLists[language].split(/\s+/)))
    languagesByStopWord.set(word, [...(languagesByStopWord.get(word) ?? []), language])

function countStopWords(
  words: Iterable<string>,
  candidates: readonly Language[],
): { languages: Language[]; hits: number } {
  const hits = new Map<Language, number>()
  for (const word of words)
    for (const language of languagesByStopWord.get(word) ?? [])
      hits.set(language, (hits.get(language) ?? 0) + 1)
  const most = Math.max(0, ...candidates.map((language) => hits.get(language) ?? 0))
  return { languages: candidates.filter((language) => most > 0 && hits.get(language) === most), hits: most }
}

const minShare = 0.12
const minHits = 3

/** Detects the language of a text by its stop words; 'other' if none is clear. */
export function detectLanguage(
  words: readonly string[],
  candidates: readonly Language[] = knownLanguages,
): Language {
  const { languages, hits } = countStopWords(words, candidates)
  const isClear = hits >= minHits && hits >= words.length * minShare
  return (isClear && languages[0]) || 'other'
}

/** The languages in which most words of a question are stop words; all candidates if none is one. */
export function guessLanguages(
  words: readonly string[],
  candidates: readonly Language[],
): readonly Language[] {
  const { languages } = countStopWords(words, candidates)
  return languages.length > 0 ? languages : candidates
}

/** Without a language no word is a stop word. */
export function isStopWord(word: string, language: Language): boolean {
  return language !== 'other' && languagesByStopWord.get(word)?.includes(language) === true
}

/** Where the package names a language differently. Vietnamese words have no endings. */
const stemmerNames: Partial<Record<KnownLanguage, string | null>> = { hindi: 'indian', vietnamese: null }
const require = createRequire(import.meta.url)

type Stem = (word: string) => string

/** The Romanian stemmer knows the letters with a cedilla only, which stood for those with a comma in older encodings. */
function writeWithCedillas(word: string): string {
  return word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')
}

/** Loads a language only when there is a word to stem, to save memory. */
function loadStemmer(language: KnownLanguage): Stem {
  const name = stemmerNames[language] === undefined ? language : stemmerNames[language]
  if (name === null) return (word) => word
  const { stemmer }: typeof import('@orama/stemmers/english') = require(`@orama/stemmers/${name}`)
  return language === 'romanian' ? (word) => stemmer(writeWithCedillas(word)) : stemmer
}

const cacheSize = 20_000
const caches = new Map<KnownLanguage, { stem: Stem; seen: Map<string, string> }>()

export function stemWord(word: string, language: Language): string {
  if (language === 'other') return word
  let cache = caches.get(language)
  if (!cache) {
    cache = { stem: loadStemmer(language), seen: new Map() }
    caches.set(language, cache)
  }
  const seen = cache.seen.get(word)
  if (seen !== undefined) return seen
  const stem = cache.stem(word)
  if (cache.seen.size >= cacheSize) cache.seen.clear()
  cache.seen.set(word, stem)
  return stem
}
