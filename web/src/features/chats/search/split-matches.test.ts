import { describe, expect, it } from 'vitest'
import { splitMatches } from './split-matches.ts'

function markMatches(text: string, query: string): string {
  return splitMatches(text, query)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('')
}

describe('splitMatches', () => {
  it('marks every word of the query in any case', () => {
    expect(markMatches('Annual leave: how much LEAVE is there?', 'leave much')).toBe(
      'Annual [leave]: how [much] [LEAVE] is there?',
    )
  })

  it('treats special characters literally', () => {
    expect(markMatches('a.b (c) a+b', '(c) .b')).toBe('a[.b] [(c)] a+b')
    expect(markMatches('<b>bold</b>', '<b>')).toBe('[<b>]bold</b>')
  })

  it('marks the longer of two words with the same beginning', () => {
    expect(markMatches('holidays', 'holi holidays')).toBe('[holidays]')
  })

  it('matches letters of any script', () => {
    expect(markMatches('Straße und ÉCOLE', 'école')).toBe('Straße und [ÉCOLE]')
    expect(markMatches('年次休暇の日数', '休暇')).toBe('年次[休暇]の日数')
  })

  it('leaves the text whole for an empty query or without a match', () => {
    expect(markMatches('words', '  ')).toBe('words')
    expect(markMatches('words', 'else')).toBe('words')
  })
})
