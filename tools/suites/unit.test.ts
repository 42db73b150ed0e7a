import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tallyUnitTests } from './unit.ts'

const log = vi.fn<(line: string) => void>()

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(log)
})

afterEach(() => {
  vi.restoreAllMocks()
  log.mockReset()
})

describe('tallyUnitTests', () => {
  it('adds up the projects', () => {
    const projects = {
      a: { passed: 3, failed: 1, skipped: [] },
      b: { passed: 2, failed: 0, skipped: [] },
    }
    expect(tallyUnitTests({ projects, errors: [] }, ['a', 'b'])).toEqual({ passed: 5, failed: 1 })
    expect(log).not.toHaveBeenCalled()
  })

  it('counts a run without a result as a failure', () => {
    expect(tallyUnitTests(null, [])).toEqual({ passed: 0, failed: 1 })
  })

  it('counts a project that ran no test as a failure', () => {
    const projects = { a: { passed: 3, failed: 0, skipped: [] }, b: { passed: 0, failed: 0, skipped: ['x'] } }
    expect(tallyUnitTests({ projects, errors: [] }, ['a', 'b', 'c'])).toEqual({ passed: 3, failed: 2 })
    expect(log.mock.calls.flat()).toEqual(['- skipped in b: x', '✗ b: no test ran', '✗ c: no test ran'])
  })

  it('counts errors outside the tests', () => {
    const projects = { a: { passed: 3, failed: 0, skipped: [] } }
    expect(tallyUnitTests({ projects, errors: ['Error: late', 'Error: later'] }, ['a'])).toEqual({
      passed: 3,
      failed: 2,
    })
    expect(log).toHaveBeenCalledWith('✗ error outside the tests: Error: late')
  })
})
