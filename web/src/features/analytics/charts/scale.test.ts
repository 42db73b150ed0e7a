import type { UsageDay } from '@lyceum/contract/analytics'
import { describe, expect, it } from 'vitest'
import { axisEnd, spansOf } from './scale.ts'

function days(count: number): UsageDay[] {
  return Array.from({ length: count }, (_, at) => ({
    day: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
  })) as UsageDay[]
}

describe('spansOf', () => {
  it('draws each of a month’s days', () => {
    expect(
      spansOf(days(30))
        .map(({ from, to }) => [from, to])
        .at(-1),
    ).toEqual(['2026-01-30', '2026-01-30'])
  })

  it('draws a year by weeks, the last one as long as it is', () => {
    const spans = spansOf(days(365))
    expect(spans).toHaveLength(53)
    expect(spans.at(-1)).toMatchObject({ from: '2026-12-31', to: '2026-12-31' })
    expect(spans.flatMap((span) => span.days)).toHaveLength(365)
  })

  it('draws nothing of nothing', () => {
    expect(spansOf([])).toEqual([])
  })
})

describe('axisEnd', () => {
  it.each([
    [0, 1],
    [1, 2],
    [3, 4],
    [5, 6],
    [10, 10],
    [11, 20],
    [4999, 6000],
    [6001, 10_000],
  ])('of %i is %i', (highest, end) => expect(axisEnd(highest)).toBe(end))

  it('is no whole number where none is needed', () => {
    expect(axisEnd(0.3, false)).toBeCloseTo(0.4)
  })
})
