import type { JSONReportSuite } from '@playwright/test/reporter'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tallyJourneys } from './journeys.ts'

const stats = { startTime: '', duration: 0, expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
const log = vi.fn<(line: string) => void>()

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(log)
})

afterEach(() => {
  vi.restoreAllMocks()
  log.mockReset()
})

describe('tallyJourneys', () => {
  it('counts an error outside the tests as a failure', () => {
    const report = { stats: { ...stats, expected: 4, unexpected: 1 }, errors: [{ message: 'x' }], suites: [] }
    expect(tallyJourneys(report)).toEqual({ passed: 4, failed: 2 })
    expect(log).not.toHaveBeenCalled()
  })

  it('names journeys that passed only on the second attempt', () => {
    function suite(specs: JSONReportSuite['specs'], suites: JSONReportSuite[] = []) {
      return {
        ...{ title: '', file: '', line: 1, column: 1 },
        specs,
        suites,
      }
    }
    function spec(title: string, status: 'flaky' | 'expected') {
      return { title, tests: [{ status }] } as unknown as JSONReportSuite['specs'][number]
    }
    const suites = [suite([spec('One', 'expected')], [suite([spec('Two', 'flaky')])])]
    expect(tallyJourneys({ stats: { ...stats, expected: 1, flaky: 1 }, errors: [], suites })).toEqual({
      passed: 2,
      failed: 0,
    })
    expect(log.mock.calls).toEqual([['! passed only on the second attempt: Two']])
  })

  it('reports how many journeys were skipped', () => {
    expect(tallyJourneys({ stats: { ...stats, expected: 1, skipped: 2 }, errors: [], suites: [] })).toEqual({
      passed: 1,
      failed: 0,
    })
    expect(log).toHaveBeenCalledWith('- 2 journeys skipped')
  })

  it('fails when nothing ran', () => {
    expect(tallyJourneys({ stats, errors: [{ message: 'no tests found' }], suites: [] })).toEqual({
      passed: 0,
      failed: 1,
    })
    expect(tallyJourneys(null)).toEqual({ passed: 0, failed: 1 })
  })
})
