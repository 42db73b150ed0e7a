import { describe, expect, it } from 'vitest'
import { csvRow } from './csv.ts'

describe('csvRow', () => {
  it('quotes values that contain separators, quotes or line breaks', () => {
    expect(csvRow(['a,b', 'say "yes"', 'two\nlines', 'plain', null, 7, false])).toBe(
      '"a,b","say ""yes""","two\nlines",plain,,7,false\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@sum(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠x', '\0=1'])(
    'keeps %j from being read as a formula',
    (text) => {
      expect(csvRow([text]).replace(/^"/, '')).toMatch(/^'/)
    },
  )

  it('leaves negative numbers unchanged', () => {
    expect(csvRow([-5])).toBe('-5\r\n')
  })
})
