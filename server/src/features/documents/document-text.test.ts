import { describe, expect, it } from 'vitest'
import type { TextBlock } from '#providers/text-extraction/port.ts'
import { slicePages } from './document-text.ts'

function block(page: number | null, charStart: number, charEnd: number): TextBlock {
  return {
    kind: 'paragraph',
    page,
    headingPath: [],
    charStart,
    charEnd,
  }
}

describe('slicePages', () => {
  const text = 'one\n\ntwo\n\nthree'
  const blocks = [block(1, 0, 3), block(2, 5, 8), block(2, 10, 15)]

  it('returns every character once, under its page', () => {
    const pages = slicePages(text, blocks, 0)
    expect(pages).toEqual([
      { page: 1, start: 0, text: 'one\n\n' },
      { page: 2, start: 5, text: 'two\n\nthree' },
    ])
  })

  it('starts at a given offset inside a page', () => {
    expect(slicePages(text, blocks, 7)).toEqual([{ page: 2, start: 7, text: 'o\n\nthree' }])
    expect(slicePages(text, blocks, 99)).toEqual([])
  })

  it('returns a single part for text without pages', () => {
    expect(slicePages(text, [block(null, 0, 3), block(null, 5, 15)], 0)).toEqual([
      { page: null, start: 0, text },
    ])
  })

  it('ends after 200,000 characters and never splits a surrogate pair', () => {
    const long = `${'x'.repeat(199_999)}😀y`
    const first = slicePages(long, [block(null, 0, long.length)], 0)
    expect(first.map((page) => page.text.length)).toEqual([199_999])
    expect(slicePages(long, [], 199_999)).toEqual([{ page: null, start: 199_999, text: '😀y' }])
  })
})
