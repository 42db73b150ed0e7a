import { setImmediate } from 'node:timers/promises'
import { type AnalyzedPassage, analyzePassages } from './analyze.ts'
import type { Language } from './languages.ts'
import { encodePassageTerms, withLetters } from './passage-terms.ts'
import type { IndexedPassage } from './port.ts'
import { fieldWeights } from './rank-hits.ts'

/** Milliseconds of work before other requests get a turn. */
const sliceMs = 8

export interface WeighedPassage {
  id: string
  language: Language
  /** How often each term occurs, weighted by where. */
  weights: ReadonlyMap<string, number>
  /** Encoded. */
  terms: Uint8Array
  /** In words. */
  length: number
}

function weigh(analyzed: AnalyzedPassage): WeighedPassage {
  const { passage, language, title, heading, body } = analyzed
  const weights = new Map<string, number>()
  for (const [terms, weight] of [
    [title, fieldWeights.title],
    [heading, fieldWeights.heading],
    [body, fieldWeights.body],
  ] as const)
    for (const term of terms)
      for (const part of withLetters(term)) weights.set(part, (weights.get(part) ?? 0) + weight)
  return {
    id: passage.id,
    language,
    weights,
    terms: encodePassageTerms(analyzed),
    length: title.length + heading.length + body.length,
  }
}

/** Splits passages into terms on the event loop, with breaks, because stemming long documents would block it. */
export async function weighPassages(passages: readonly IndexedPassage[]): Promise<WeighedPassage[]> {
  const weighed: WeighedPassage[] = []
  let begun = performance.now()
  for (const analyzed of analyzePassages(passages)) {
    weighed.push(weigh(analyzed))
    if (performance.now() - begun < sliceMs) continue
    await setImmediate()
    begun = performance.now()
  }
  return weighed
}
