import { describe, expect, it } from 'vitest'
import { findQuote, markQuote } from './find-quote.ts'

function readMatch(pieces: string[], quote: string): string | null {
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
  ])('searches %j for %j', (pieces, quote, text) => {
    expect(readMatch(pieces, quote)).toBe(text)
  })

  it('finds the part on this page when the quote continues on the next', () => {
    const pieces = ['Heading', 'the force of a spring grows with its shift']
    expect(readMatch(pieces, 'the force of a spring grows with its shift until it breaks for good')).toBe(
      pieces[1],
    )
  })

  it('finds the part on this page when the quote began on the previous one', () => {
    const pieces = ['grows with its shift until it breaks.', 'Next']
    expect(readMatch(pieces, 'the force of a spring grows with its shift until it breaks')).toBe(
      'grows with its shift until it breaks',
    )
  })

  it('rejects text that shares only a short beginning with the quote', () => {
    expect(readMatch(['the force is'], 'the force of a spring grows with its shift')).toBeNull()
  })
})

describe('markQuote', () => {
  it('marks a range across elements without changing their text', () => {
    const elements = ['one two', '', 'three four'].map((text) => {
      const element = document.createElement('span')
      element.textContent = text
      return element
    })
    const first = markQuote(elements, { from: { piece: 0, offset: 4 }, to: { piece: 2, offset: 5 } })
    expect(first?.textContent).toBe('two')
    expect(elements.map((element) => element.innerHTML)).toEqual([
      'one <mark>two</mark>',
      '',
      '<mark>three</mark> four',
    ])
  })
})
