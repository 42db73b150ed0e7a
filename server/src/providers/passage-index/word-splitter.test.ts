import { describe, expect, it } from 'vitest'
import { measureGrowth } from '#testing/cpu-time.ts'
import { splitWords } from './word-splitter.ts'

describe('splitWords', () => {
  it('reduces words with apostrophes to the noun', () => {
    expect(splitWords("l'entreprise employee’s dogs’ rock'n'").map(({ text }) => text)).toEqual([
      'entreprise',
      'employee',
      'dogs',
      'rockn',
    ])
  })

  it.each(["'", '’', "a'", "'s", '1.', '1,', 'a-', '\u0301', '\u0301\u0323', '休'])(
    'takes linear time for a long run of “%s”',
    (piece) => {
      function splitRun(length: number): void {
        splitWords(`x${piece.repeat(length / piece.length)}y`)
      }
      expect(measureGrowth(splitRun, 5000)).toBeLessThan(40)
    },
  )
})
