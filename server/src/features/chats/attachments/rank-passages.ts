import { parseQuestion } from '../../answering/terms.ts'
import type { PassageTerms } from './attachment-store.ts'

/** Budget for the passages of attached files in a request, in estimated tokens. */
const maxTokens = 4000
const maxPassages = 12
/** How much each further occurrence of a word counts (BM25). */
const saturation = 1.2

export interface RankedPassage extends PassageTerms {
  /** Share of the question's content words in the passage, weighted by rarity, 0 to 1. */
  coverage: number
}

function countOccurrences(terms: string, wanted: string): number {
  let found = 0
  // Each term is between spaces, and neighboring terms share one.
  for (let at = terms.indexOf(wanted); at >= 0; at = terms.indexOf(wanted, at + wanted.length - 1)) found += 1
  return found
}

interface Question {
  /** For each content word, its terms in each language as they appear in `PassageTerms`. */
  words: string[][]
}

export function prepareQuestion(text: string): Question {
  return {
    words: parseQuestion(text).map(({ variants, isPrefix }) =>
      variants.map((variant) => (isPrefix ? ` ${variant}` : ` ${variant} `)),
    ),
  }
}

/** How often each word of the question occurs in a passage. */
export function countWords({ words }: Question, { terms }: Pick<PassageTerms, 'terms'>): number[] {
  return words.map((variants) =>
    variants.reduce((most, variant) => Math.max(most, countOccurrences(terms, variant)), 0),
  )
}

export interface CountedPassage extends PassageTerms {
  counts: number[]
  /** Whether it belongs to a file attached to this question. */
  isNew: boolean
}

function takeWithinBudget(passages: readonly RankedPassage[]): RankedPassage[] {
  const taken = new Set<RankedPassage>()
  let tokens = 0
  for (const passage of passages) {
    if (taken.has(passage) || tokens + passage.tokens > maxTokens) continue
    if (taken.size === maxPassages) break
    taken.add(passage)
    tokens += passage.tokens
  }
  return [...taken]
}

/**
 * Selects the passages that are sent to the model: those with the question's words, the best first, and then the
 * beginning of the files attached to this question, for questions such as "What is this about?".
 */
export function selectPassages(passages: readonly CountedPassage[], words: number): RankedPassage[] {
  const weights = Array.from({ length: words }, (_, word) => {
    const containing = passages.filter(({ counts }) => (counts[word] ?? 0) > 0).length
    return Math.log(1 + (passages.length - containing + 0.5) / (containing + 0.5))
  })
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  const ranked = passages.map((passage) => {
    let [score, matched] = [0, 0]
    for (const [word, weight] of weights.entries()) {
      const count = passage.counts[word] ?? 0
      if (count === 0) continue
      score += (weight * count * (saturation + 1)) / (count + saturation)
      matched += weight
    }
    return { ...passage, score, coverage: totalWeight === 0 ? 0 : matched / totalWeight }
  })
  const matching = ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return takeWithinBudget([...matching, ...ranked.filter(({ isNew }) => isNew)])
}
