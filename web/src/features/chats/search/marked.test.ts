import { describe, expect, it } from 'vitest'
import { markedPieces } from './marked.ts'

function shown(text: string, query: string): string {
  return markedPieces(text, query)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('')
}

describe('markedPieces', () => {
  it('marks every word that was looked for, in any case', () => {
    expect(shown('Annual leave: how much LEAVE is there?', 'leave much')).toBe(
      'Annual [leave]: how [much] [LEAVE] is there?',
    )
  })

  it('takes signs as they are', () => {
    expect(shown('a.b (c) a+b', '(c) .b')).toBe('a[.b] [(c)] a+b')
    expect(shown('<b>bold</b>', '<b>')).toBe('[<b>]bold</b>')
  })

  it('marks the longer of two words that begin alike', () => {
    expect(shown('holidays', 'holi holidays')).toBe('[holidays]')
  })

  it('keeps letters of any script', () => {
    expect(shown('Straße und ÉCOLE', 'école')).toBe('Straße und [ÉCOLE]')
    expect(shown('年次休暇の日数', '休暇')).toBe('年次[休暇]の日数')
  })

  it('leaves a text alone when there is nothing to look for', () => {
    expect(shown('words', '  ')).toBe('words')
    expect(shown('words', 'else')).toBe('words')
  })
})
