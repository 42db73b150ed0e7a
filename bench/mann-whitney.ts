/** The complementary error function by Abramowitz and Stegun 7.1.26; its error is at most 1.5e-7. */
function erfc(x: number): number {
  const t = 1 / (1 + 0.3275911 * x)
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return sum * Math.exp(-x * x)
}

/** The sum of the first sample's ranks, and Σ(t³ − t) over groups of equal values, which share their middle rank. */
function rank(first: readonly number[], second: readonly number[]): { sum: number; ties: number } {
  const all = [...first.map((value) => [value, 1] as const), ...second.map((value) => [value, 0] as const)]
  all.sort(([a], [b]) => a - b)
  let sum = 0
  let ties = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.[0] === all[from]?.[0]) to += 1
    const middle = (from + 1 + to) / 2
    for (const [, isFirst] of all.slice(from, to)) sum += isFirst * middle
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  return { sum, ties }
}

/**
 * The Mann-Whitney U test, two-sided: how likely samples at least this different are if both come from one
 * distribution. Uses the normal approximation with corrections for ties and continuity, which is accurate from about
 * twenty values per sample. It compares ranks, so that a few slow outliers have no extra weight.
 */
export function computeMannWhitneyP(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length]
  const { sum, ties } = rank(first, second)
  const u = sum - (n * (n + 1)) / 2
  const total = n + m
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  if (deviation === 0) return 1
  const z = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / deviation
  return erfc(z / Math.SQRT2)
}
