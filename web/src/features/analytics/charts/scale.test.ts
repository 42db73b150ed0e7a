import type { UsageDay } from '@lyceum/contract/analytics'
import { describe, expect, it } from 'vitest'
import { computeAxisMaximum, groupIntoSpans } from './scale.ts'

function createDays(count: number): UsageDay[] {
  return Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  })) as UsageDay[]
}

describe('groupIntoSpans', () => {
  it('returns single days for a month', () => {
    expect(
      groupIntoSpans(createDays(30))
        .map(({ from, to }) => [from, to])
        .at(-1),
    ).toEqual(['2026-01-30', '2026-01-30'])
  })

  it('returns weeks for a year, with a shorter last week', () => {
    const spans = groupIntoSpans(createDays(365))
    expect(spans).toHaveLength(53)
    expect(spans.at(-1)).toMatchObject({ from: '2026-12-31', to: '2026-12-31' })
    expect(spans.flatMap((span) => span.days)).toHaveLength(365)
  })

  it('returns nothing for no days', () => {
    expect(groupIntoSpans([])).toEqual([])
  })
})

describe('computeAxisMaximum', () => {
  it.each([
    [0, 1],
    [1, 2],
    [3, 4],
    [5, 6],
    [10, 10],
    [11, 20],
    [4999, 6000],
    [6001, 10_000],
  ])('rounds %i up to %i', (highest, end) => expect(computeAxisMaximum(highest)).toBe(end))

  it('keeps fractions for values that are not integers', () => {
    expect(computeAxisMaximum(0.3, false)).toBeCloseTo(0.4)
  })
})
