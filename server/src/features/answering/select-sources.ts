import type { Deps } from '../../deps.ts'
import { type FoundPassage, findNeighbors, type LocatedPassage } from '../documents/retrieval/retrieval.ts'
import { limitToBudget } from './prompt.ts'

interface Threshold {
  /** Share of the question's words. */
  cover: number
  similarity: number
}

/** A passage reaches the model if it meets one of these. Many languages form words that the index cannot match. */
const relevant: Threshold = { cover: 0.1, similarity: 0.25 }
/** Without a passage that meets one of these, an open channel's documents count as having no answer. */
const close: Threshold = { cover: 0.3, similarity: 0.4 }
/** How many passages that were found reach the model. */
const maxFound = 8

function meets({ coverage, similarity }: FoundPassage, threshold: Threshold): boolean {
  return coverage >= threshold.cover || (similarity ?? -1) >= threshold.similarity
}

/** Whether a passage is close enough to answer the question. A channel may have learned it from its test questions. */
export function hasClosePassage(passages: readonly FoundPassage[], minMatch: number | null): boolean {
  return passages.some((passage) =>
    minMatch === null
      ? meets(passage, close)
      : passage.match >= minMatch || (passage.similarity ?? -1) >= close.similarity,
  )
}

/** Whether a passage is at this distance from another one in the same section. */
function isNeighbor(passage: LocatedPassage, other: LocatedPassage, distance: number): boolean {
  return (
    passage.generation === other.generation &&
    passage.ordinal === other.ordinal + distance &&
    passage.headingPath.join('\n') === other.headingPath.join('\n')
  )
}

/** Puts neighbors together, in the order of the document. */
function sortForReading(passages: readonly LocatedPassage[]): LocatedPassage[] {
  const remaining = new Set(passages)
  function takeNeighbor(passage: LocatedPassage, distance: number): LocatedPassage[] {
    const neighbor = [...remaining].find((other) => isNeighbor(other, passage, distance))
    return neighbor ? takeWithNeighbors(neighbor) : []
  }
  function takeWithNeighbors(passage: LocatedPassage): LocatedPassage[] {
    remaining.delete(passage)
    return [...takeNeighbor(passage, -1), passage, ...takeNeighbor(passage, 1)]
  }
  return passages.flatMap((passage) => (remaining.has(passage) ? takeWithNeighbors(passage) : []))
}

/**
 * Selects the passages that a model gets: those that were found, and within the budget those that follow and precede
 * them in the same section.
 */
export async function selectSources(
  deps: Deps,
  channelId: string,
  passages: readonly FoundPassage[],
): Promise<LocatedPassage[]> {
  const found = limitToBudget(passages.filter((passage) => meets(passage, relevant)).slice(0, maxFound))
  const known = new Set(found.map(({ passageId }) => passageId))
  const others = (await findNeighbors(deps, channelId, found)).filter(
    ({ passageId }) => !known.has(passageId),
  )
  const neighbors = [1, -1].flatMap((distance) =>
    found.flatMap((passage) => others.filter((other) => isNeighbor(other, passage, distance))),
  )
  return sortForReading(limitToBudget([...found, ...new Set(neighbors)]))
}
