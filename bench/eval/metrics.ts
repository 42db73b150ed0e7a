/** For each question: which hits are gold, best hit first, and how many gold passages exist. */
export interface Ranking {
  isGold: boolean[]
  goldPassages: number
}

export interface RankScores {
  questions: number
  recall1: number
  recall5: number
  recall10: number
  recall20: number
  mrr10: number
  ndcg10: number
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function computeDiscount(rank: number): number {
  return 1 / Math.log2(rank + 2)
}

function computeNdcg({ isGold, goldPassages }: Ranking): number {
  const ideal = Array.from({ length: Math.min(10, goldPassages) }, (_, rank) => computeDiscount(rank))
  const gained = isGold.slice(0, 10).map((gold, rank) => (gold ? computeDiscount(rank) : 0))
  return ideal.length === 0 ? 0 : (mean(gained) * gained.length) / (mean(ideal) * ideal.length)
}

/** Recall is the share of all questions that have a gold passage among the first hits. */
export function scoreRanks(rankings: readonly Ranking[]): RankScores {
  function findFirstGold({ isGold }: Ranking): number {
    return isGold.indexOf(true)
  }
  function computeRecall(depth: number): number {
    return mean(
      rankings.map((ranking) => (findFirstGold(ranking) >= 0 && findFirstGold(ranking) < depth ? 1 : 0)),
    )
  }
  return {
    questions: rankings.length,
    recall1: computeRecall(1),
    recall5: computeRecall(5),
    recall10: computeRecall(10),
    recall20: computeRecall(20),
    mrr10: mean(
      rankings.map((ranking) => {
        const first = findFirstGold(ranking)
        return first >= 0 && first < 10 ? 1 / (first + 1) : 0
      }),
    ),
    ndcg10: mean(rankings.map(computeNdcg)),
  }
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
}
