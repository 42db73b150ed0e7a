import { describe, expect, it } from 'vitest'
import type { TextBlock } from '#providers/text-extraction/port.ts'
import { selectBlocks, slicePages } from './document-text.ts'

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

describe('selectBlocks', () => {
  const text = 'Rules\n\nBe kind.\n\nLate'
  const blocks: TextBlock[] = [
    { kind: 'heading', page: null, headingPath: ['Manual', 'Rules'], charStart: 0, charEnd: 5 },
    block(null, 7, 15),
    block(null, 17, 21),
  ]

  it('returns the kind and range of each block, and the level of headings', () => {
    expect(selectBlocks(blocks, slicePages(text, blocks, 0))).toEqual([
      { kind: 'heading', level: 2, start: 0, end: 5 },
      { kind: 'paragraph', start: 7, end: 15 },
      { kind: 'paragraph', start: 17, end: 21 },
    ])
  })

  it('leaves out blocks outside the pages', () => {
    expect(selectBlocks(blocks, slicePages(text, blocks, 9)).map(({ start }) => start)).toEqual([7, 17])
    expect(selectBlocks(blocks, [{ page: null, start: 0, text: 'Rules\n\n' }])).toHaveLength(1)
    expect(selectBlocks(blocks, [])).toEqual([])
  })
})
