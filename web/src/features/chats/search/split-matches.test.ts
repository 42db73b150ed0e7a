import { describe, expect, it } from 'vitest'
import { splitMatches } from './split-matches.ts'

function shown(text: string, query: string): string {
  return splitMatches(text, query)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('')
}

describe('splitMatches', () => {
  it('marks every word of the query in any case', () => {
    expect(shown('Annual leave: how much LEAVE is there?', 'leave much')).toBe(
      'Annual [leave]: how [much] [LEAVE] is there?',
    )
  })

  it('treats special characters literally', () => {
    expect(shown('a.b (c) a+b', '(c) .b')).toBe('a[.b] [(c)] a+b')
    expect(shown('<b>bold</b>', '<b>')).toBe('[<b>]bold</b>')
  })

  it('marks the longer of two words with the same beginning', () => {
    expect(shown('holidays', 'holi holidays')).toBe('[holidays]')
  })

  it('matches letters of any script', () => {
    expect(shown('Straße und ÉCOLE', 'école')).toBe('Straße und [ÉCOLE]')
    expect(shown('年次休暇の日数', '休暇')).toBe('年次[休暇]の日数')
  })

  it('leaves the text whole for an empty query or without a match', () => {
    expect(shown('words', '  ')).toBe('words')
    expect(shown('words', 'else')).toBe('words')
  })
})
