import { describe, expect, it } from 'vitest'
import { computePercentile, findWaitColumn, type WaitColumn, waitColumns } from './waits.ts'

function fillBuckets(waits: readonly number[]): Record<WaitColumn, number> {
  const buckets = Object.fromEntries(waitColumns.map((name) => [name, 0])) as Record<WaitColumn, number>
  for (const wait of waits) buckets[findWaitColumn(wait)] += 1
  return buckets
}

describe('computePercentile', () => {
  it('returns null without data', () => {
    expect(computePercentile(fillBuckets([]), 95)).toBeNull()
  })

  it('stays within the bucket of the percentile', () => {
    expect(computePercentile(fillBuckets([100]), 50)).toBeLessThanOrEqual(250)
    expect(computePercentile(fillBuckets([250, 250]), 95)).toBeLessThanOrEqual(250)
    expect(computePercentile(fillBuckets([251, 251]), 50)).toBeGreaterThan(250)
    expect(computePercentile(fillBuckets([9_000_000]), 99)).toBeLessThanOrEqual(60_000)
  })

  it('approximates the true percentiles of many waits', () => {
    const waits = Array.from({ length: 1000 }, (_, index) => index * 4)
    const p50 = computePercentile(fillBuckets(waits), 50) ?? 0
    const p95 = computePercentile(fillBuckets(waits), 95) ?? 0
    expect(Math.abs(p50 - 2000)).toBeLessThan(100)
    expect(p95).toBeGreaterThan(3000)
    expect(p95).toBeLessThan(5000)
    expect(p50).toBeLessThan(p95)
  })
})
