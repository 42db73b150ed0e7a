import { describe, expect, it } from 'vitest'
import { type WaitName, waitNameOf, waitNames, waitOf } from './waits.ts'

function bucketsOf(waits: readonly number[]): Record<WaitName, number> {
  const buckets = Object.fromEntries(waitNames.map((name) => [name, 0])) as Record<WaitName, number>
  for (const wait of waits) buckets[waitNameOf(wait)] += 1
  return buckets
}

describe('waitOf', () => {
  it('returns null without data', () => {
    expect(waitOf(bucketsOf([]), 95)).toBeNull()
  })

  it('stays within the bucket of the percentile', () => {
    expect(waitOf(bucketsOf([100]), 50)).toBeLessThanOrEqual(250)
    expect(waitOf(bucketsOf([250, 250]), 95)).toBeLessThanOrEqual(250)
    expect(waitOf(bucketsOf([251, 251]), 50)).toBeGreaterThan(250)
    expect(waitOf(bucketsOf([9_000_000]), 99)).toBeLessThanOrEqual(60_000)
  })

  it('approximates the true percentiles of many waits', () => {
    const waits = Array.from({ length: 1000 }, (_, at) => at * 4)
    const p50 = waitOf(bucketsOf(waits), 50) ?? 0
    const p95 = waitOf(bucketsOf(waits), 95) ?? 0
    expect(Math.abs(p50 - 2000)).toBeLessThan(100)
    expect(p95).toBeGreaterThan(3000)
    expect(p95).toBeLessThan(5000)
    expect(p50).toBeLessThan(p95)
  })
})
