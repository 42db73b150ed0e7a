export interface RankedHit {
  number: number
  score: number
}

/** The constant from the original paper (Cormack et al., 2009). It keeps a single list from deciding alone. */
const k = 60

/** Reciprocal rank fusion: combines lists by rank, so that their scores need not be comparable. */
export function fuseRankings(lists: readonly (readonly RankedHit[])[], limit: number): RankedHit[] {
  const scores = new Map<number, number>()
  for (const hits of lists) {
    for (const [rank, hit] of hits.entries()) {
      scores.set(hit.number, (scores.get(hit.number) ?? 0) + 1 / (k + rank + 1))
    }
  }
  return [...scores]
    .map(([number, score]) => ({ number, score }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, limit)
}
