import { describe, expect, it } from 'vitest'
import { formatCsvRow } from './csv.ts'

describe('formatCsvRow', () => {
  it('quotes values that contain separators, quotes or line breaks', () => {
    expect(formatCsvRow(['a,b', 'say "yes"', 'two\nlines', 'plain', null, 7, false])).toBe(
      '"a,b","say ""yes""","two\nlines",plain,,7,false\r\n',
    )
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@sum(A1)',
    '\t=1',
    '\r=1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '\0=1',
    '\n=1',
    ';=1',
  ])('prevents %j from being evaluated as a formula', (text) => {
    expect(formatCsvRow([text]).replace(/^"/, '')).toMatch(/^'/)
  })

  it.each([
    ['Oslo;=1+1', `"Oslo;'=1+1"`],
    ['Oslo;-1', `"Oslo;'-1"`],
    ['Oslo\t@sum(A1)', `"Oslo\t'@sum(A1)"`],
    ['Oslo\n=1', `"Oslo\n'=1"`],
    ['Oslo\r\n＋1', `"Oslo\r\n'＋1"`],
  ])('prevents a formula inside %j, where a spreadsheet may begin a new cell', (text, expected) => {
    expect(formatCsvRow([text])).toBe(`${expected}\r\n`)
  })

  it('leaves lists, semicolons and signs in sentences unchanged', () => {
    expect(formatCsvRow(['Bring:\n- soap; rope\n- 1 + 1 = 2'])).toBe(
      '"Bring:\n- soap; rope\n- 1 + 1 = 2"\r\n',
    )
  })

  it('leaves negative numbers unchanged', () => {
    expect(formatCsvRow([-5])).toBe('-5\r\n')
  })
})
