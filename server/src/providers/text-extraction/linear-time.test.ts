import { describe, expect, it } from 'vitest'
import { measureGrowth } from '#testing/cpu-time.ts'
import { readTxt } from './read-txt.ts'
import { formatTableRows } from './table-rows.ts'

const pieces = [
  ' ',
  '\t',
  '\v',
  '\u00a0',
  '\n',
  ' \n',
  'a',
  'a.',
  '.',
  '1',
  '1.',
  '#',
  '# ',
  '# a\n',
  '- ',
  '=\n',
  '\u0301',
  '休',
  'A b. ',
]

describe('plain text', () => {
  it.each(pieces)('takes linear time for a long run of “%s”', (piece) => {
    function readRuns(length: number): void {
      const run = piece.repeat(length / piece.length)
      readTxt(Buffer.from(`x${run}y`))
      readTxt(Buffer.from(`# x${run}y`))
    }
    expect(measureGrowth(readRuns, 5000)).toBeLessThan(40)
  })

  it.each([
    ['# Leave ##', 'Leave'],
    ['## Leave in C # now', 'Leave in C # now'],
    ['# Leave #1', 'Leave #1'],
    ['### ##', '##'],
  ])('reads the heading %s', (line, title) => {
    expect(readTxt(Buffer.from(`${line}\nAsk in time.`))).toMatchObject({
      text: `${title}\n\nAsk in time.`,
      blocks: [{ kind: 'heading' }, { kind: 'paragraph', headingPath: [title] }],
    })
  })
})

describe('a table with many columns that only the last row fills', () => {
  it('is formatted in linear time', () => {
    function formatTable(size: number): void {
      const full = Array.from({ length: size }, () => 'a')
      formatTableRows([full, ...Array.from({ length: size }, () => ['a']), full], true)
    }
    expect(measureGrowth(formatTable, 300)).toBeLessThan(40)
  })
})
