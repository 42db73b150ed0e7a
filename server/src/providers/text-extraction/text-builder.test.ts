import { describe, expect, it } from 'vitest'
import { TextBuilder } from './text-builder.ts'

function times(count: number, add: (at: number) => void): void {
  for (let at = 0; at < count; at += 1) add(at)
}

describe('the blocks of a text', () => {
  it('are limited, although every paragraph is short', () => {
    const builder = new TextBuilder()
    times(300_000, (at) => builder.add(at % 2 === 0 ? 'paragraph' : 'list', 'a'))
    const { text, blocks } = builder.finish(null)
    expect(text).toBe(Array.from({ length: 300_000 }, () => 'a').join('\n\n'))
    expect(blocks.length).toBeLessThan(22_000)
    expect(blocks.at(-1)).toMatchObject({ kind: 'paragraph', charEnd: text.length })
    let end = -2
    for (const { charStart, charEnd } of blocks) {
      expect(charStart).toBe(end + 2)
      end = charEnd
    }
  })

  it('never contain text of two pages', () => {
    const builder = new TextBuilder()
    times(30_000, (at) => builder.add('paragraph', 'a', at < 25_000 ? 1 : 2))
    const { text, blocks } = builder.finish(2)
    const second = blocks.find(({ page }) => page === 2)
    expect(second?.charStart).toBe(text.length - (5000 * 3 - 2))
  })

  it('have at most 5,000 headings', () => {
    const builder = new TextBuilder()
    times(300_000, (at) => builder.addHeading(1, `h${at % 10}`))
    const { blocks } = builder.finish(null)
    expect(blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(5000)
    expect(blocks.length).toBeLessThan(25_000)
    expect(blocks.at(-1)?.headingPath).toEqual(['h9'])
  })

  it('repeat long headings only up to a limit', () => {
    const builder = new TextBuilder()
    times(20, (at) => builder.addHeading(at, 'x'.repeat(200)))
    times(20_000, () => builder.add('paragraph', 'text'))
    const { blocks } = builder.finish(null)
    expect(blocks[100]?.headingPath).toHaveLength(20)
    expect(blocks.at(-1)?.headingPath).toEqual([])
    expect(JSON.stringify(blocks).length).toBeLessThan(5_000_000)
  })

  it('stay apart in a usual document', () => {
    const builder = new TextBuilder()
    builder.addHeading(1, 'Leave')
    builder.add('paragraph', 'a')
    builder.add('paragraph', 'b')
    expect(builder.finish(null).blocks.map(({ kind, headingPath }) => [kind, headingPath])).toEqual([
      ['heading', ['Leave']],
      ['paragraph', ['Leave']],
      ['paragraph', ['Leave']],
    ])
  })
})
