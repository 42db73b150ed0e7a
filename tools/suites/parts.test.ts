import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { planParts, type RunPart, runParts } from './parts.ts'

let printed = ''

beforeEach(() => {
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text
    return true
  })
  vi.spyOn(console, 'log').mockImplementation((line) => {
    printed += `${line}\n`
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('planParts', () => {
  it('runs one part after the other on two cores', () => {
    expect(planParts(2).map((group) => group.map(({ name }) => name))).toEqual([
      ['checks'],
      ['unit'],
      ['e2e'],
    ])
  })

  it('runs all parts in parallel on four cores or more', () => {
    expect(planParts(4)).toEqual([
      [
        { name: 'checks', workers: 1 },
        { name: 'unit', workers: 2 },
        { name: 'e2e', workers: 2 },
      ],
    ])
  })
})

describe('runParts', () => {
  it.each([2, 4])('prints the parts in order and adds up their results with %i cores', async (cores) => {
    const run: RunPart = async ({ name }, print) => {
      // The first part finishes last.
      if (name === 'checks') await new Promise((resolve) => setTimeout(resolve, 50))
      print(`line of ${name}\n`)
      print('3 passed, 1 failed\n')
      return `line of ${name}\n3 passed, 1 failed\n`
    }
    expect(await runParts(cores, run)).toEqual({ passed: 9, failed: 3 })
    expect(printed.match(/line of \w+/g)).toEqual(['line of checks', 'line of unit', 'line of e2e'])
    expect(printed).not.toMatch(/^3 passed, 1 failed$/m)
    expect(printed).toContain('✗ unit: 3 passed, 1 failed (0 min)')
  })

  it.each([2, 4])('counts a part that ends without a result as a failure with %i cores', async (cores) => {
    const run: RunPart = async ({ name }) => {
      if (name === 'unit') throw new Error('crashed')
      return name === 'checks' ? 'Killed\n' : '5 passed, 0 failed\n'
    }
    expect(await runParts(cores, run)).toEqual({ passed: 5, failed: 2 })
    expect(printed).toContain('✗ checks: the run ended without a result')
    expect(printed).toContain('crashed')
  })
})
