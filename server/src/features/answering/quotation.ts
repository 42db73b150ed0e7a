import { type Span, splitSentences } from './sentences.ts'
import { type AnalyzedText, analyzeText } from './terms.ts'

/** In characters. Longer sentences, such as joined table rows, are quoted in part. */
const maxQuoteLength = 600

function computeShare(wanted: ReadonlySet<string>, whole: AnalyzedText, text: string): number {
  const contained = whole.extractTerms(text)
  let found = 0
  for (const term of wanted) if (contained.has(term)) found += 1
  return wanted.size === 0 ? 0 : found / wanted.size
}

/** Shortens a long span at the last space before the limit. */
function limitLength(text: string, { start, end }: Span): Span {
  if (end - start <= maxQuoteLength) return { start, end }
  const space = text.lastIndexOf(' ', start + maxQuoteLength)
  return { start, end: space > start ? space : start + maxQuoteLength }
}

/** Low, so that the context only breaks ties. */
const contextWeight = 0.1
/** Penalty for a second sentence, which must add enough to justify its length. */
const pairPenalty = 0.2

/**
 * Finds the one or two consecutive sentences of a passage that share the most words with a question or claim.
 * The context counts less. Earlier sentences win ties, and a second one is included only if it adds
 * something.
 */
export function findClosestSentences(text: string, wording: string, context = ''): Span {
  const whole = analyzeText(text)
  const wanted = whole.extractTerms(wording)
  const contextTerms = whole.extractTerms(context)
  function computeScore(piece: string): number {
    return computeShare(wanted, whole, piece) + contextWeight * computeShare(contextTerms, whole, piece)
  }
  const spans = splitSentences(text)
  let best: Span = spans[0] ?? { start: 0, end: text.length }
  let bestScore = -1
  for (const [at, span] of spans.entries()) {
    const positionBonus = 0.1 / (at + 1)
    const alone = computeScore(text.slice(span.start, span.end)) + positionBonus
    const next = spans[at + 1]
    const pair = next ? computeScore(text.slice(span.start, next.end)) + positionBonus - pairPenalty : -1
    if (Math.max(alone, pair) <= bestScore) continue
    bestScore = Math.max(alone, pair)
    best = next && pair > alone ? { start: span.start, end: next.end } : span
  }
  return limitLength(text, best)
}
