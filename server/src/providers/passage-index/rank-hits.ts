import type { QueryWord } from './analyze.ts'
import { parseQueryWords } from './analyze.ts'
import type { RankedHit } from './fuse.ts'
import { compareHits, fuseRankings } from './fuse.ts'
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
/** How much a word of the earlier question counts at most, compared to one of the question. */
const maxContextWeight = 0.5
/** Words that count less would hardly change the order. */
const minContextWeight = 0.05
/** A question with fewer words says too little by itself. */
const minOwnWords = 3

/** A passage that was found. */
export interface FoundPassage {
  generation: string
  terms: PassageTerms
}

/** A word that is searched for. Those of the question weigh 1, those of the earlier question less. */
export interface WeightedWord extends QueryWord {
  weight: number
}

/** How often the words of a question occur. */
export interface Rarity {
  /** The number of passages with the word. */
  frequency: (word: WeightedWord) => number
  /** The number of passages among which it is counted. */
  total: () => number
}

interface ParsedQuery {
  /** The content words of the question, and those that only the earlier question has. */
  words: WeightedWord[]
  /** Those by which a passage's coverage and match are measured. */
  measured: WeightedWord[]
}

/** The fewer words a question has, the more likely it is to depend on the earlier one. */
function weighContext(ownWords: number): number {
  const weight = Math.min(maxContextWeight, 2 / ownWords ** 2)
  return weight < minContextWeight ? 0 : weight
}

function skipPairsAcrossWords(words: readonly WeightedWord[]): WeightedWord[] {
  return words.filter(({ isAcrossWords }) => !isAcrossWords)
}

/** A question without content words, such as 'And why?', is searched as the earlier one. */
export function parseQuery(query: PassageQuery, languages: readonly Language[]): ParsedQuery {
  function parse(text: string, weight: number): WeightedWord[] {
    return weight === 0 ? [] : parseQueryWords(text, languages).map((word) => ({ ...word, weight }))
  }
  const own = parse(query.text, 1)
  const ownWords = skipPairsAcrossWords(own).length
  const known = new Set(own.flatMap((word) => word.variants))
  const context = parse(query.context ?? '', own.length === 0 ? 1 : weighContext(ownWords)).filter(
    (word) => !word.variants.some((term) => known.has(term)),
  )
  const words = [...own, ...context]
  return { words, measured: skipPairsAcrossWords(ownWords < minOwnWords ? words : own) }
}

/** The words of each weight. They share a limit on the work for them. */
export function groupByWeight(words: readonly WeightedWord[]): WeightedWord[][] {
  return [...Map.groupBy(words, ({ weight }) => weight).values()]
}

/** Selects the rarest words of each weight within the limit. Common words would hardly change the order. */
export function selectRarestWords(words: readonly WeightedWord[], rarity: Rarity): WeightedWord[] {
  return groupByWeight(words).flatMap((group) => {
    let matches = 0
    return group
      .toSorted((a, b) => rarity.frequency(a) - rarity.frequency(b))
      .filter((word) => {
        matches += rarity.frequency(word)
        return matches <= maxScored
      })
  })
}

/** With fewer passages, how often a word occurs says little about how rare it is. */
const minTotal = 100

function weighWord(word: WeightedWord, rarity: Rarity): number {
  const matching = rarity.frequency(word)
  const total = Math.max(rarity.total(), matching, minTotal)
  return word.weight * Math.log(1 + (total - matching + 0.5) / (matching + 0.5))
}

/** The share of the words that a passage contains, by weight, and how many they are. */
function computeCoverage(
  words: readonly WeightedWord[],
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
function createWindowScorer(words: readonly WeightedWord[], rarity: Rarity) {
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
  words: readonly WeightedWord[],
  found: ReadonlyMap<string, FoundPassage>,
  rarity: Rarity,
): RankedHit[] {
  const highest = hits[0]?.score || 1
  const scoreWindow = createWindowScorer(words, rarity)
  return hits
    .map((hit) => {
      const passage = found.get(hit.id)
      return { id: hit.id, score: hit.score / highest + (passage ? scoreWindow(passage) : 0) }
    })
    .sort(compareHits)
}

/** The rankings of one question, best first. */
export interface Rankings {
  /** By BM25. */
  lexical: readonly RankedHit[]
  byWords: readonly RankedHit[]
  /** By similarity. */
  nearest: readonly RankedHit[]
}

export function fuse({ byWords, nearest }: Rankings, limit: number): RankedHit[] {
  return fuseRankings([byWords, nearest], limit)
}

/** Maps each passage to its rank, starting at 1. */
function createRanks(hits: readonly RankedHit[]): Map<string, number> {
  return new Map(hits.map(({ id }, index) => [id, index + 1]))
}

function toScores(hits: readonly RankedHit[]): Map<string, number> {
  return new Map(hits.map(({ id, score }) => [id, score]))
}

/** Describes the best hits. `similarities` are those of the best, also where they were not found by meaning. */
export function toPassageHits(
  best: readonly RankedHit[],
  { lexical, byWords, nearest }: Rankings,
  {
    measured,
    found,
    similarities,
    rarity,
  }: {
    measured: readonly WeightedWord[]
    found: ReadonlyMap<string, FoundPassage>
    similarities: readonly RankedHit[]
    rarity: Rarity
  },
): PassageHit[] {
  const cosines = toScores(similarities)
  const wordsRanks = createRanks(byWords)
  const meaningRanks = createRanks(nearest)
  const bm25 = toScores(lexical)
  const scoreWindow = createWindowScorer(measured, rarity)
  return best.flatMap(({ id, score }): PassageHit[] => {
    const passage = found.get(id)
    if (!passage) return []
    const { coverage, count } = computeCoverage(measured, passage, rarity)
    // A single word says little about the subject, however rare it is.
    const certainty = count > 1 ? 1 : singleWordCertainty
    return [
      {
        passageId: id,
        generation: passage.generation,
        score,
        lexical: bm25.get(id) ?? null,
        similarity: cosines.get(id) ?? null,
        coverage,
        match: (certainty * (coverage + scoreWindow(passage))) / 2,
        wordsRank: wordsRanks.get(id) ?? null,
        meaningRank: meaningRanks.get(id) ?? null,
      },
    ]
  })
}
