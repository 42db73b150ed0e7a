/** Upper ends of the classes of waits for a reply's first word, in milliseconds; a wait beyond them is in the last class. */
const bounds = [250, 500, 750, 1000, 1500, 2000, 3000, 5000, 8000, 15_000, 30_000] as const
/** What the last class is said to end at. */
const longest = 60_000

type WaitClass = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
export type WaitName = `wait_${WaitClass}`

/** Classes add up over days, channels and models, which an average or a stored percentile does not. */
export const waitNames: readonly WaitName[] = [...bounds, longest].map(
  (_, at): WaitName => `wait_${at as WaitClass}`,
)

export function waitNameOf(ms: number): WaitName {
  const at = bounds.findIndex((bound) => ms <= bound)
  return `wait_${(at === -1 ? bounds.length : at) as WaitClass}`
}

/** The wait that so many per cent do not exceed, as if the waits of a class lay evenly in it; null where there is none. */
export function waitOf(classes: Record<WaitName, number>, percent: number): number | null {
  const counts = waitNames.map((name) => classes[name])
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let rest = (percent / 100) * all
  for (const [at, count] of counts.entries()) {
    const low = bounds[at - 1] ?? 0
    const high = bounds[at] ?? longest
    if (count > 0 && rest <= count) return Math.round(low + (rest / count) * (high - low))
    rest -= count
  }
  return longest
}
