import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tallyOf } from './journeys.ts'

const stats = { startTime: '', duration: 0, expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
const log = vi.fn<(line: string) => void>()

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(log)
})

afterEach(() => {
  vi.restoreAllMocks()
  log.mockReset()
})

describe('the sum of the journeys', () => {
  it('takes a second try and a fault outside of the tests for failures', () => {
    const report = { stats: { ...stats, expected: 4, unexpected: 1, flaky: 1 }, errors: [{ message: 'x' }] }
    expect(tallyOf(report)).toEqual({ passed: 4, failed: 3 })
  })

  it('says how many were skipped', () => {
    expect(tallyOf({ stats: { ...stats, expected: 1, skipped: 2 }, errors: [] })).toEqual({
      passed: 1,
      failed: 0,
    })
    expect(log).toHaveBeenCalledWith('- 2 journeys skipped')
  })

  it('fails when nothing ran', () => {
    expect(tallyOf({ stats, errors: [{ message: 'no tests found' }] })).toEqual({ passed: 0, failed: 1 })
    expect(tallyOf(null)).toEqual({ passed: 0, failed: 1 })
  })
})
