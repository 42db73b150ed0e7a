import { describe, expect, it } from 'vitest'
import { findQuote } from './find-quote.ts'

function found(pieces: string[], quote: string): string | null {
  const range = findQuote(pieces, quote)
  if (!range) return null
  const { from, to } = range
  return pieces
    .slice(from.piece, to.piece + 1)
    .map((piece, index, all) =>
      piece.slice(index === 0 ? from.offset : 0, index === all.length - 1 ? to.offset : undefined),
    )
    .join('|')
}

describe('findQuote', () => {
  it.each([
    [['one two', 'three'], 'two three', 'two|three'],
    [['a hyphen-', 'ated word'], 'hyphenated word', 'hyphen-|ated word'],
    [['soft\u00ADly  spaced'], 'softly spaced', 'soft\u00ADly  spaced'],
    [['the \uFB01rst o\uFB03ce'], 'first office', '\uFB01rst o\uFB03ce'],
    [['“Quoted” text'], '"quoted" TEXT', 'Quoted” text'],
    [['cafe\u0301 open'], 'café open', 'cafe\u0301 open'],
    [['速度は', '質量'], '速度は 質量', '速度は|質量'],
    [['nothing here'], 'something else', null],
    [['text'], ' … ', null],
  ])('in %j finds %j', (pieces, quote, text) => {
    expect(found(pieces, quote)).toBe(text)
  })

  it('marks the part that stands on this page when the quote goes on overleaf', () => {
    const pieces = ['Heading', 'the force of a spring grows with its shift']
    expect(found(pieces, 'the force of a spring grows with its shift until it breaks for good')).toBe(
      pieces[1],
    )
  })

  it('marks the part that stands on this page when the quote began before it', () => {
    const pieces = ['grows with its shift until it breaks.', 'Next']
    expect(found(pieces, 'the force of a spring grows with its shift until it breaks')).toBe(
      'grows with its shift until it breaks',
    )
  })

  it('does not take a common beginning for the quote', () => {
    expect(found(['the force is'], 'the force of a spring grows with its shift')).toBeNull()
  })
})
