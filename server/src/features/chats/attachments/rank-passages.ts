import type { parseQuestion } from '../../answering/terms.ts'
import type { PassageTerms } from './attachment-store.ts'

/** Budget for the passages of attached files in a request, in estimated tokens. */
const maxTokens = 4000
const maxPassages = 12
/** How much each further occurrence of a word counts (BM25). */
const saturation = 1.2

export interface RankedPassage extends PassageTerms {
  /** Share of the question's content words in the passage, weighted by rarity, 0 to 1. */
  match: number
}

/** The content words of a question, each with its stem in every language. */
export type QuestionWords = ReturnType<typeof parseQuestion>

/** How often each word of the question occurs in a passage. */
export function countWords(words: QuestionWords, { terms }: Pick<PassageTerms, 'terms'>): number[] {
  const counts = new Map<string, number>()
  for (const term of terms.split(' ')) counts.set(term, (counts.get(term) ?? 0) + 1)
  function countTerm(variant: string, isPrefix: boolean): number {
    if (!isPrefix) return counts.get(variant) ?? 0
    let sum = 0
    for (const [term, count] of counts) if (term.startsWith(variant)) sum += count
    return sum
  }
  return words.map(({ variants, isPrefix }) =>
    Math.max(...variants.map((variant) => countTerm(variant, isPrefix))),
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
    return { ...passage, score, match: totalWeight === 0 ? 0 : matched / totalWeight }
  })
  const matching = ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return takeWithinBudget([...matching, ...ranked.filter(({ isNew }) => isNew)])
}
