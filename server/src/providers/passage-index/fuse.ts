export interface RankedHit {
  /** The id of the passage. */
  id: string
  score: number
}

/** Best first. Equally good passages are ordered by id, which is the same in every index and after a rebuild. */
export function compareHits(a: RankedHit, b: RankedHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1)
}

/** The constant from the original paper (Cormack et al., 2009). It keeps a single list from deciding alone. */
const k = 60

/** Reciprocal rank fusion: combines lists by rank, so that their scores need not be comparable. */
export function fuseRankings(lists: readonly (readonly RankedHit[])[], limit: number): RankedHit[] {
  const scores = new Map<string, number>()
  for (const hits of lists) {
    for (const [rank, hit] of hits.entries()) {
      scores.set(hit.id, (scores.get(hit.id) ?? 0) + 1 / (k + rank + 1))
    }
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort(compareHits)
    .slice(0, limit)
}
