/** Upper bounds of the histogram buckets for the time to the first word, in milliseconds; the last bucket is open. */
const bounds = [250, 500, 750, 1000, 1500, 2000, 3000, 5000, 8000, 15_000, 30_000] as const
/** Assumed upper bound of the last bucket, in milliseconds. */
const maxWaitMs = 60_000

type WaitBucket = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
export type WaitColumn = `wait_${WaitBucket}`

/** Bucket counts can be summed over days, channels and models; averages and percentiles cannot. */
export const waitColumns: readonly WaitColumn[] = [...bounds, maxWaitMs].map(
  (_, index): WaitColumn => `wait_${index as WaitBucket}`,
)

export function findWaitColumn(ms: number): WaitColumn {
  const index = bounds.findIndex((bound) => ms <= bound)
  return `wait_${(index === -1 ? bounds.length : index) as WaitBucket}`
}

/** Percentile, interpolated linearly within its bucket; null without data. */
export function computePercentile(buckets: Record<WaitColumn, number>, percent: number): number | null {
  const counts = waitColumns.map((name) => buckets[name])
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rest = (percent / 100) * total
  for (const [index, count] of counts.entries()) {
    const low = bounds[index - 1] ?? 0
    const high = bounds[index] ?? maxWaitMs
    if (count > 0 && rest <= count) return Math.round(low + (rest / count) * (high - low))
    rest -= count
  }
  return maxWaitMs
}
