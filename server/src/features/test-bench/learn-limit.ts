import { learningMinimum } from '@lyceum/contract/test-questions'

/** The share of the answerable questions that may be refused. */
const toleratedShare = 0.05
/** A limit outside this range would be learned from too few questions, or ones that say little about others. */
const lowest = 0.1
const highest = 0.6

/** How well the closest passage matches each test question, 0 to 1. */
export interface BestMatches {
  /** Of the questions whose expected document was found. */
  answerable: readonly number[]
  unanswerable: readonly number[]
}

/**
 * Learns how well a passage must match a question: in the middle between the answerable questions, of which at most 5 %
 * may be refused, and the closest unanswerable one below them. Null if there are too few questions, or they do not differ.
 */
export function learnMinMatch({ answerable, unanswerable }: BestMatches): number | null {
  if (answerable.length < learningMinimum || unanswerable.length < learningMinimum) return null
  const sorted = answerable.toSorted((a, b) => a - b)
  const weakestKept = sorted[Math.floor(sorted.length * toleratedShare)] ?? 0
  const below = unanswerable.filter((match) => match < weakestKept)
  if (below.length === 0) return null
  return Math.min(highest, Math.max(lowest, (Math.max(...below) + weakestKept) / 2))
}
