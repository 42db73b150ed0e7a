import { describe, expect, it } from 'vitest'
import { findAsvsFaults, requirementIds } from './asvs.ts'

interface Planted {
  summary?: string
  untested?: string
  change?: (rows: string[]) => string[]
}

/** A page on which every requirement but one is met, with one chapter and one change. */
function check({
  summary = '253 | 252 | 1 | 0',
  untested = '1',
  change = (rows) => rows,
}: Planted = {}): string[] {
  const rows = requirementIds.map((id, at) => {
    if (at === 0) return `| ${id} | 2 | Subject | n/a | No such thing | – |`
    const test = at === 1 ? 'no test' : '[a.test.ts](../server/src/a.test.ts)'
    return `| ${id} | 1 | Subject | met | [a.ts](../server/src/a.ts), [x](security.md#a) | ${test} |`
  })
  const page = [
    `${untested} requirements`,
    `| [V1 All](#v1-all) | ${summary} |`,
    `| **all** | ${summary.replace(/\d+/g, '**$&**')} |`,
    '\n## V1 All\n',
    '| Id | Level | Subject | Result | Where, or why | Shown by |\n|---|---|---|---|---|---|',
    ...change(rows),
  ].join('\n')
  return findAsvsFaults(page, (path) =>
    ['server/src/a.ts', 'server/src/a.test.ts', 'docs/security.md'].includes(path),
  )
}

function replaceLast(pattern: RegExp, text: string) {
  return (rows: string[]) => [...rows.slice(0, -1), (rows.at(-1) ?? '').replace(pattern, text)]
}

it('knows 253 requirements', () => {
  expect(requirementIds).toHaveLength(253)
  expect(new Set(requirementIds).size).toBe(253)
  expect(requirementIds).toEqual(expect.arrayContaining(['1.1.1', '6.2.12', '10.4.11', '17.3.2']))
})

describe('findAsvsFaults', () => {
  it('accepts a page with every requirement once', () => {
    expect(check()).toEqual([])
  })

  it('reports a requirement that is missing, unknown or listed twice', () => {
    const summary = '252 | 251 | 1 | 0'
    expect(check({ summary, change: (rows) => rows.slice(0, -1) })).toEqual([
      'docs/asvs.md: 17.3.2 is missing',
    ])
    expect(check({ change: replaceLast(/17\.3\.2/, '17.3.1') })).toEqual([
      'docs/asvs.md: 17.3.2 is missing',
      'docs/asvs.md: 17.3.1 is listed twice',
    ])
    expect(check({ change: replaceLast(/17\.3\.2/, '1.2.10') })).toEqual([
      'docs/asvs.md: 17.3.2 is missing',
      'docs/asvs.md: 1.2.10 is not a requirement',
    ])
  })

  it.each([
    [/\.\.\/server\/src\/a\.ts/, '../server/src/b.ts', 'there is no server/src/b.ts'],
    [/security\.md/, 'gone.md', 'there is no docs/gone.md'],
    [/\[a\.test\.ts\].*\)/, '', '17.3.2 names no test'],
    [/\.\.\/server\/src\/a\.test\.ts/, '../server/src/a.ts', '17.3.2: ../server/src/a.ts is no test'],
  ])('reports a row in which %s became %j', (pattern, text, fault) => {
    expect(check({ change: replaceLast(pattern, text) })).toEqual([`docs/asvs.md: ${fault}`])
  })

  it('reports a result that is unknown, or that does not fit the counts', () => {
    expect(check({ change: replaceLast(/met/, 'later') })[0]).toBe('docs/asvs.md: 17.3.2 has no result')
    expect(check({ change: replaceLast(/met/, 'deviation') })).toEqual([
      'docs/asvs.md: the summary of V1 All must be 253 | 251 | 1 | 1',
      'docs/asvs.md: the summary of all must be 253 | 251 | 1 | 1',
    ])
    expect(check({ untested: '2' })).toEqual(['docs/asvs.md: no test shows 1 requirements'])
  })
})
