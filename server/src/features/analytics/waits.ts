/** Upper bounds of the histogram buckets for the time to the first word, in milliseconds; the last bucket is open. */
const bounds = [250, 500, 750, 1000, 1500, 2000, 3000, 5000, 8000, 15_000, 30_000] as const
/** Assumed upper bound of the last bucket, in milliseconds. */
const maxWaitMs = 60_000

type WaitBucket = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
export type WaitColumn = `wait_${WaitBucket}`

/** Bucket counts can be summed over days, channels and models; averages and percentiles cannot. */
export const waitColumns: readonly WaitColumn[] = [...bounds, maxWaitMs].map(
  (_, at): WaitColumn => `wait_${at as WaitBucket}`,
)

export function findWaitColumn(ms: number): WaitColumn {
  const at = bounds.findIndex((bound) => ms <= bound)
  return `wait_${(at === -1 ? bounds.length : at) as WaitBucket}`
}

/** Percentile, interpolated linearly within its bucket; null without data. */
export function computePercentile(buckets: Record<WaitColumn, number>, percent: number): number | null {
  const counts = waitColumns.map((name) => buckets[name])
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let rest = (percent / 100) * all
  for (const [at, count] of counts.entries()) {
    const low = bounds[at - 1] ?? 0
    const high = bounds[at] ?? maxWaitMs
    if (count > 0 && rest <= count) return Math.round(low + (rest / count) * (high - low))
    rest -= count
  }
  return maxWaitMs
}
