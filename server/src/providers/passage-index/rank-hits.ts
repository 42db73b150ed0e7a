import type { QueryWord } from './analyze.ts'
import { parseQueryWords } from './analyze.ts'
import type { RankedHit } from './fuse.ts'
import { fuseRankings } from './fuse.ts'
import type { Language } from './languages.ts'
import { hashTerm, type PassageTerms } from './passage-terms.ts'
import type { PassageHit, PassageQuery } from './port.ts'

/** Hits of each search, by words and by meaning, that are fused. */
export const listLimit = 50
/** How many candidates of the fast first pass over the vectors are then ranked exactly. */
export const candidateLimit = 300
/** Limit on matches to score per query. Beyond it the most common words of the question are ignored. */
export const maxScored = 8000
/** A heading says more exactly than the title what a passage is about. */
export const fieldWeights = { title: 1, heading: 1.25, body: 1 }
const contextWeight = 0.3

/** A passage that was found. */
export interface FoundPassage {
  id: string
  generation: string
  terms: PassageTerms
}

/** How often the words of a question occur. */
export interface Rarity {
  /** The number of passages with the word. */
  frequency: (word: QueryWord) => number
  /** The number of passages among which it is counted. */
  total: () => number
}

/** The content words of a question, and those that only the earlier question has. */
export function parseQuery(query: PassageQuery, languages: readonly Language[]) {
  const words = parseQueryWords(query.text, languages)
  const known = new Set(words.flatMap((word) => word.variants))
  const context = query.context
    ? parseQueryWords(query.context, languages).filter(
        (word) => !word.variants.some((term) => known.has(term)),
      )
    : []
  return { words, context }
}

/** Selects the rarest words within the limit. Common words would hardly change the order. */
export function selectRarestWords(words: readonly QueryWord[], rarity: Rarity): QueryWord[] {
  let matches = 0
  return words
    .toSorted((a, b) => rarity.frequency(a) - rarity.frequency(b))
    .filter((word) => {
      matches += rarity.frequency(word)
      return matches <= maxScored
    })
}

/** With fewer passages, how often a word occurs says little about how rare it is. */
const minTotal = 100

function weighWord(word: QueryWord, rarity: Rarity): number {
  const matching = rarity.frequency(word)
  return Math.log(1 + (Math.max(rarity.total(), matching, minTotal) - matching + 0.5) / (matching + 0.5))
}

/** The share of the words that a passage contains, by weight, and how many they are. */
function computeCoverage(
  words: readonly QueryWord[],
  { terms }: FoundPassage,
  rarity: Rarity,
): { coverage: number; count: number } {
  let [found, total, count] = [0, 0, 0]
  for (const word of words) {
    const weight = weighWord(word, rarity)
    total += weight
    if (!word.variants.some((term) => terms.has(term))) continue
    found += weight
    count += 1
  }
  return { coverage: total === 0 ? 0 : found / total, count }
}

const singleWordCertainty = 0.5
/** In terms. */
const windowLength = 20

/** The highest coverage within any part of a passage of this length: words that stand together say more. */
function createWindowScorer(words: readonly QueryWord[], rarity: Rarity) {
  const weights = words.map((word) => weighWord(word, rarity))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const wordsByHash = new Map(
    words.flatMap(({ variants }, at) => variants.map((term) => [hashTerm(term), at])),
  )
  return ({ terms: { inOrder } }: FoundPassage): number => {
    const lastSeen = new Map<number, number>()
    let most = 0
    for (const [at, hash] of inOrder.entries()) {
      const word = wordsByHash.get(hash)
      if (word === undefined) continue
      lastSeen.set(word, at)
      let covered = 0
      for (const [seen, position] of lastSeen) if (at - position < windowLength) covered += weights[seen] ?? 0
      most = Math.max(most, covered)
    }
    return total === 0 ? 0 : most / total
  }
}

/** Re-ranks BM25 hits: passages with more of the question's words close together beat those that repeat one. */
export function rankByWords(
  hits: readonly RankedHit[],
  words: readonly QueryWord[],
  found: ReadonlyMap<number, FoundPassage>,
  rarity: Rarity,
): RankedHit[] {
  const highest = hits[0]?.score || 1
  const scoreWindow = createWindowScorer(words, rarity)
  return hits
    .map((hit) => {
      const passage = found.get(hit.number)
      return { hit, rank: hit.score / highest + (passage ? scoreWindow(passage) : 0) }
    })
    .sort((a, b) => b.rank - a.rank || a.hit.number - b.hit.number)
    .map(({ hit }) => hit)
}

/** The rankings of one question, best first. */
export interface Rankings {
  /** By BM25. */
  lexical: readonly RankedHit[]
  byWords: readonly RankedHit[]
  /** By the earlier question's words. */
  byContext: readonly RankedHit[]
  /** By similarity. */
  nearest: readonly RankedHit[]
}

export function fuse({ byWords, byContext, nearest }: Rankings, limit: number): RankedHit[] {
  return fuseRankings(
    [
      { weight: 1, hits: byWords },
      { weight: 1, hits: nearest },
      { weight: contextWeight, hits: byContext },
    ],
    limit,
  )
}

/** Maps each passage number to its rank, starting at 1. */
function createRanks(hits: readonly RankedHit[]): Map<number, number> {
  return new Map(hits.map(({ number }, index) => [number, index + 1]))
}

function toScores(hits: readonly RankedHit[]): Map<number, number> {
  return new Map(hits.map((hit) => [hit.number, hit.score]))
}

/** Describes the best hits. `similarities` are those of the best, also where they were not found by meaning. */
export function toPassageHits(
  best: readonly RankedHit[],
  { lexical, byWords, nearest }: Rankings,
  {
    words,
    found,
    similarities,
    rarity,
  }: {
    words: readonly QueryWord[]
    found: ReadonlyMap<number, FoundPassage>
    similarities: readonly RankedHit[]
    rarity: Rarity
  },
): PassageHit[] {
  const cosines = toScores(similarities)
  const wordsRanks = createRanks(byWords)
  const meaningRanks = createRanks(nearest)
  const bm25 = toScores(lexical)
  const wholeWords = words.filter(({ isAcrossWords }) => !isAcrossWords)
  const scoreWindow = createWindowScorer(wholeWords, rarity)
  return best.flatMap(({ number, score }): PassageHit[] => {
    const passage = found.get(number)
    if (!passage) return []
    const { coverage, count } = computeCoverage(wholeWords, passage, rarity)
    // A single word says little about the subject, however rare it is.
    const certainty = count > 1 ? 1 : singleWordCertainty
    return [
      {
        passageId: passage.id,
        generation: passage.generation,
        score,
        lexical: bm25.get(number) ?? null,
        similarity: cosines.get(number) ?? null,
        coverage,
        match: (certainty * (coverage + scoreWindow(passage))) / 2,
        wordsRank: wordsRanks.get(number) ?? null,
        meaningRank: meaningRanks.get(number) ?? null,
      },
    ]
  })
}
