import { describe, expect, it } from 'vitest'
import { measureGrowth } from '#testing/cpu-time.ts'
import { createSourceMarkFilter } from './source-marks.ts'

function filterPieces(pieces: readonly string[]): string {
  const marks = createSourceMarkFilter()
  return pieces.map((piece) => marks.push(piece)).join('') + marks.end()
}

describe('createSourceMarkFilter', () => {
  it.each([
    ['It rained【4:0†source】.', 'It rained.'],
    ['It rained 【4:0†source】【12:3†a file.pdf】 all day 【1†x】', 'It rained all day'],
    ['a【not a mark】 b【', 'a【not a mark】 b【'],
    ['a 【open\nand on', 'a 【open\nand on'],
    ['blanks  stay  ', 'blanks  stay  '],
    [`【${'x'.repeat(200)}†】`, `【${'x'.repeat(200)}†】`],
  ])('filters %j, split anywhere', (text, clean) => {
    expect(filterPieces([text])).toBe(clean)
    expect(filterPieces([...text])).toBe(clean)
    for (let at = 1; at < text.length; at++)
      expect(filterPieces([text.slice(0, at), text.slice(at)])).toBe(clean)
  })

  it('holds back only what may become a mark', () => {
    const marks = createSourceMarkFilter()
    expect(marks.push('Words. ')).toBe('Words.')
    expect(marks.push('More 【')).toBe(' More')
    expect(marks.push('x'.repeat(130))).toBe(` 【${'x'.repeat(130)}`)
  })

  it.each([
    ['blanks', (size: number) => [' '.repeat(size), ' '.repeat(size)]],
    ['open brackets', (size: number) => ['【'.repeat(size)]],
    ['unfinished marks', (size: number) => [`${'【a†'.repeat(size)}\n`]],
    ['single brackets', (size: number) => Array.from({ length: size }, () => '【')],
  ])('takes linear time for many %s', (_, pieces) => {
    expect(measureGrowth((size) => filterPieces(pieces(size)), 10_000)).toBeLessThan(40)
  })
})
