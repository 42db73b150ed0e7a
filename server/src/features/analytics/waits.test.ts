import { describe, expect, it } from 'vitest'
import { type WaitName, waitNameOf, waitNames, waitOf } from './waits.ts'

function classesOf(waits: readonly number[]): Record<WaitName, number> {
  const classes = Object.fromEntries(waitNames.map((name) => [name, 0])) as Record<WaitName, number>
  for (const wait of waits) classes[waitNameOf(wait)] += 1
  return classes
}

describe('waits', () => {
  it('of nobody are none', () => {
    expect(waitOf(classesOf([]), 95)).toBeNull()
  })

  it('lie within the class they are in', () => {
    expect(waitOf(classesOf([100]), 50)).toBeLessThanOrEqual(250)
    expect(waitOf(classesOf([250, 250]), 95)).toBeLessThanOrEqual(250)
    expect(waitOf(classesOf([251, 251]), 50)).toBeGreaterThan(250)
    expect(waitOf(classesOf([9_000_000]), 99)).toBeLessThanOrEqual(60_000)
  })

  it('come near the true percentiles of many', () => {
    const waits = Array.from({ length: 1000 }, (_, at) => at * 4)
    const p50 = waitOf(classesOf(waits), 50) ?? 0
    const p95 = waitOf(classesOf(waits), 95) ?? 0
    expect(Math.abs(p50 - 2000)).toBeLessThan(100)
    expect(p95).toBeGreaterThan(3000)
    expect(p95).toBeLessThan(5000)
    expect(p50).toBeLessThan(p95)
  })
})
