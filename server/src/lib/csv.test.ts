import { describe, expect, it } from 'vitest'
import { formatCsvRow } from './csv.ts'

describe('formatCsvRow', () => {
  it('quotes values that contain separators, quotes or line breaks', () => {
    expect(formatCsvRow(['a,b', 'say "yes"', 'two\nlines', 'plain', null, 7, false])).toBe(
      '"a,b","say ""yes""","two\nlines",plain,,7,false\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@sum(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠x', '\0=1'])(
    'prevents %j from being evaluated as a formula',
    (text) => {
      expect(formatCsvRow([text]).replace(/^"/, '')).toMatch(/^'/)
    },
  )

  it('leaves negative numbers unchanged', () => {
    expect(formatCsvRow([-5])).toBe('-5\r\n')
  })
})
