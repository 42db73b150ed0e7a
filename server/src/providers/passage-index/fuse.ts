export interface Ranked {
  number: number
  score: number
}

/** Of the paper that proposed it: large enough that no single list decides alone. */
const k = 60

/** Reciprocal rank fusion: what several lists rank high comes first, whatever their scores measure. */
export function fuse(lists: readonly { weight: number; hits: readonly Ranked[] }[], limit: number): Ranked[] {
  const scores = new Map<number, number>()
  for (const { weight, hits } of lists) {
    for (const [rank, hit] of hits.entries()) {
      scores.set(hit.number, (scores.get(hit.number) ?? 0) + weight / (k + rank + 1))
    }
  }
  return [...scores]
    .map(([number, score]) => ({ number, score }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, limit)
}
