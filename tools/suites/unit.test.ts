import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tallyOf } from './unit.ts'

const log = vi.fn<(line: string) => void>()

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(log)
})

afterEach(() => {
  vi.restoreAllMocks()
  log.mockReset()
})

describe('the sum of the unit tests', () => {
  it('adds up the projects', () => {
    const projects = {
      a: { passed: 3, failed: 1, skipped: [] },
      b: { passed: 2, failed: 0, skipped: [] },
    }
    expect(tallyOf({ projects, errors: 0 }, ['a', 'b'])).toEqual({ passed: 5, failed: 1 })
    expect(log).not.toHaveBeenCalled()
  })

  it('takes a run without a result for a failure', () => {
    expect(tallyOf(null, [])).toEqual({ passed: 0, failed: 1 })
  })

  it('takes a project that ran nothing for a failure', () => {
    const projects = { a: { passed: 3, failed: 0, skipped: [] }, b: { passed: 0, failed: 0, skipped: ['x'] } }
    expect(tallyOf({ projects, errors: 0 }, ['a', 'b', 'c'])).toEqual({ passed: 3, failed: 2 })
    expect(log.mock.calls.flat()).toEqual(['- skipped in b: x', '✗ b: no test ran', '✗ c: no test ran'])
  })

  it('counts errors outside of the tests', () => {
    const projects = { a: { passed: 3, failed: 0, skipped: [] } }
    expect(tallyOf({ projects, errors: 2 }, ['a'])).toEqual({ passed: 3, failed: 2 })
  })
})
