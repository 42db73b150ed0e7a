import { describe, expect, it } from 'vitest'
import { groupBlocks } from './text-blocks.ts'

function shown(...args: Parameters<typeof groupBlocks>) {
  return groupBlocks(...args).flatMap(({ blocks }) => blocks.map(({ start, text }) => [start, text]))
}

describe('groupBlocks', () => {
  it('cuts the text into its blocks, by offsets in the whole document', () => {
    const [group, ...others] = groupBlocks({
      pages: [{ page: null, start: 100, text: 'Rules\n\nBe kind.' }],
      blocks: [
        { kind: 'heading', level: 2, start: 100, end: 105 },
        { kind: 'paragraph', start: 107, end: 115 },
      ],
    })
    expect(others).toEqual([])
    expect(group).toEqual({
      page: null,
      start: 100,
      end: 115,
      blocks: [
        { kind: 'heading', level: 2, start: 100, text: 'Rules' },
        { kind: 'paragraph', level: 1, start: 107, text: 'Be kind.' },
      ],
    })
  })

  it('shows a block that two parts of the text share in two halves', () => {
    const block = { kind: 'paragraph' as const, start: 0, end: 8 }
    const pages = [
      { page: null, start: 0, text: 'Be k' },
      { page: null, start: 4, text: 'ind.' },
    ]
    expect(shown({ pages, blocks: [block, block] })).toEqual([
      [0, 'Be k'],
      [4, 'ind.'],
    ])
  })

  it('finds paragraphs when the blocks are not known', () => {
    const text = 'One\ntwo\n \n\n\nthree\n'
    expect(shown({ pages: [{ page: null, start: 5, text }] })).toEqual([
      [5, 'One\ntwo'],
      [17, 'three'],
    ])
  })

  it('divides long texts into groups and names the page where each begins', () => {
    const text = Array.from({ length: 500 }, () => 'a line of some words').join('\n')
    const groups = groupBlocks({ pages: [{ page: 7, start: 0, text }] })
    expect(groups.map(({ page }) => page)).toEqual([7, null])
    expect(groups.flatMap(({ blocks }) => blocks.map((block) => block.text)).join('\n')).toBe(text)
  })
})
