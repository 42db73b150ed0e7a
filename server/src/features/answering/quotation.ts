import { type Span, splitSentences } from './sentences.ts'
import { analyzeText } from './terms.ts'

/** In characters. Longer sentences, such as joined table rows, are quoted in part. */
const maxQuoteLength = 600

/** The weight of a word: the rarer, the more it says about what a sentence is about. */
export type WordRarity = (term: string) => number

/** Weighs words by how many sentences of these texts have them. */
export function createWordRarity(texts: readonly string[]): WordRarity {
  const frequency = new Map<string, number>()
  let sentences = 0
  for (const text of texts) {
    const { extractTerms } = analyzeText(text)
    for (const { start, end } of splitSentences(text)) {
      sentences += 1
      for (const term of extractTerms(text.slice(start, end)))
        frequency.set(term, (frequency.get(term) ?? 0) + 1)
    }
  }
  return (term) => Math.log(1 + sentences / (1 + (frequency.get(term) ?? 0)))
}

function computeShare(
  wanted: ReadonlySet<string>,
  contained: ReadonlySet<string>,
  weigh: WordRarity,
): number {
  let [found, total] = [0, 0]
  for (const term of wanted) {
    const weight = weigh(term)
    total += weight
    if (contained.has(term)) found += weight
  }
  return total === 0 ? 0 : found / total
}

/** Shortens a long span at the last space before the limit. */
function limitLength(text: string, { start, end }: Span): Span {
  if (end - start <= maxQuoteLength) return { start, end }
  const space = text.lastIndexOf(' ', start + maxQuoteLength)
  return { start, end: space > start ? space : start + maxQuoteLength }
}

/** Low, so that the context and an earlier position only break ties, and never pay for a second sentence. */
const contextWeight = 0.05
const positionWeight = 0.05
/** Penalty for a second sentence, which must add enough to justify its length. */
const pairPenalty = 0.1

/**
 * Finds the one or two consecutive sentences of a passage that share the most words with a question or claim.
 * Rare words count more, and the context counts less. Earlier sentences win ties, and a second one is included
 * only if it adds something.
 */
export function findClosestSentences(
  text: string,
  wording: string,
  context: string,
  weigh: WordRarity,
): Span {
  const whole = analyzeText(text)
  const wanted = whole.extractTerms(wording)
  const contextTerms = whole.extractTerms(context)
  function computeScore(piece: string): number {
    const contained = whole.extractTerms(piece)
    return (
      computeShare(wanted, contained, weigh) + contextWeight * computeShare(contextTerms, contained, weigh)
    )
  }
  const spans = splitSentences(text)
  let best: Span = spans[0] ?? { start: 0, end: text.length }
  let bestScore = -1
  for (const [at, span] of spans.entries()) {
    const positionBonus = positionWeight / (at + 1)
    const alone = computeScore(text.slice(span.start, span.end)) + positionBonus
    const next = spans[at + 1]
    const pair = next ? computeScore(text.slice(span.start, next.end)) + positionBonus - pairPenalty : -1
    if (Math.max(alone, pair) <= bestScore) continue
    bestScore = Math.max(alone, pair)
    best = next && pair > alone ? { start: span.start, end: next.end } : span
  }
  return limitLength(text, best)
}
