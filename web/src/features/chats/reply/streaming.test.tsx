import { cleanup, render } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { completeTail } from './complete-tail.ts'
import { parseBlock } from './parse-block.ts'
import { Reply } from './Reply.tsx'
import { sampleReply } from './sample-reply.test-data.ts'
import { splitBlocks } from './split-blocks.ts'

vi.mock('./parse-block.ts', async (original) => {
  const actual = await original<typeof import('./parse-block.ts')>()
  return { ...actual, parseBlock: vi.fn(actual.parseBlock) }
})

/** The visible text outside code and formulas. */
function proseOf(container: HTMLElement): string {
  const copy = container.cloneNode(true) as HTMLElement
  for (const element of copy.querySelectorAll('pre, code, .katex, span[dir=ltr]')) element.remove()
  return copy.textContent ?? ''
}

const allowedDollars = /\$(?:5|10)(?![\d.])/g
const raw = /\$|\\|\*\*|\*|`|~~|\]\(|https?:|\||!\[|\[(?!\d\])|^#|-{2,}|&[a-z]/m

// Renders every prefix, more than a thousand in all.
describe('a growing reply', () => {
  it('shows no raw Markdown at any of its prefixes', () => {
    const { container, rerender } = render(<Reply text="" streaming />)
    const failures: string[] = []
    for (let length = 1; length <= sampleReply.length; length += 1) {
      rerender(<Reply text={sampleReply.slice(0, length)} streaming />)
      const prose = proseOf(container).replace(allowedDollars, '')
      if (raw.test(prose))
        failures.push(`${JSON.stringify(sampleReply.slice(0, length).slice(-40))} → ${prose.slice(-40)}`)
    }
    expect(failures).toEqual([])
  })

  it('ends up with the same elements as the complete reply', () => {
    const grown = render(<Reply text="" streaming />)
    for (let length = 1; length <= sampleReply.length; length += 7)
      grown.rerender(<Reply text={sampleReply.slice(0, length)} streaming />)
    grown.rerender(<Reply text={sampleReply} />)
    const grownHtml = grown.container.innerHTML
    cleanup()
    expect(render(<Reply text={sampleReply} />).container.innerHTML.replace(/«\w+»|_r_\w+_/g, '')).toBe(
      grownHtml.replace(/«\w+»|_r_\w+_/g, ''),
    )
  })

  it('never parses or renders a finished block again', () => {
    const parsed = vi.mocked(parseBlock)
    const { rerender } = render(<Reply text="" streaming />)
    parsed.mockClear()
    let known: string[] = []
    for (let length = 1; length <= sampleReply.length; length += 1) {
      const text = sampleReply.slice(0, length)
      const before = parsed.mock.calls.length
      rerender(<Reply text={text} streaming />)
      const calls = parsed.mock.calls.slice(before).map(([block]) => block)
      const finished = known.slice(0, -1)
      expect(calls.filter((block) => finished.includes(block))).toEqual([])
      expect(calls.length).toBeLessThanOrEqual(2)
      known = splitBlocks(text, true)
    }
    const blocks = splitBlocks(sampleReply, true)
    for (const block of blocks.slice(0, -1))
      expect(parsed.mock.calls.filter(([text]) => text === block).length, block).toBeLessThanOrEqual(1)
  })

  it('does not render blocks again when a citation arrives', () => {
    const parsed = vi.mocked(parseBlock)
    const { rerender } = render(<Reply text={sampleReply} streaming />)
    parsed.mockClear()
    rerender(<Reply text={sampleReply} streaming citations={[]} />)
    rerender(<Reply text={sampleReply} streaming citations={[]} onOpenCitation={() => undefined} />)
    expect(parsed).not.toHaveBeenCalled()
  })
})

describe('splitBlocks', () => {
  it('keeps finished blocks unchanged while the reply grows', () => {
    for (let length = 1; length <= sampleReply.length; length += 1) {
      const shorter = splitBlocks(sampleReply.slice(0, length - 1), true)
      const longer = splitBlocks(sampleReply.slice(0, length), true)
      // The last block may turn out to belong to the list before it.
      const finished = Math.max(0, shorter.length - 2)
      expect(longer.slice(0, finished)).toEqual(shorter.slice(0, finished))
    }
  })

  it.each([
    ['a\n\nb', 2],
    ['- a\n\n- b\n\n  c', 1],
    ['- a\n\nb', 2],
    ['```\na\n\nb\n```\n\nc', 2],
    ['$$\na\n\nb\n$$\n\nc', 2],
    ['\\[\na\n\nb\n\\]', 1],
    ['\\begin{align}\na\n\nb\n\\end{align}', 1],
    ['$$ is slang\n\nb\n\nc', 3],
    ['see [x][1]\n\nb\n\n[1]: https://example.org', 1],
  ])('splits %j into %i blocks', (text, count) => {
    expect(splitBlocks(text, false)).toHaveLength(count)
  })
})

describe('completeTail', () => {
  it.each([
    ['some **bo', 'some **bo**'],
    ['some **', 'some'],
    ['some **bold*', 'some **bold**'],
    ['some **bold**', 'some **bold**'],
    ['a *b **c', 'a *b **c***'],
    ['run `np', 'run `np`'],
    ['run `', 'run'],
    ['see [the ma', 'see'],
    ['see [the manual](https://exa', 'see the manual'],
    ['see **[the manual](https://exa', 'see **the manual**'],
    ['as said [1]', 'as said [1]'],
    ['as said [1', 'as said'],
    ['x $a_', 'x'],
    ['x \\(a', 'x'],
    ['x\n\n\\[ a', 'x'],
    ['costs $5 and', 'costs $5 and'],
    ['snake_case and 2 * 3', 'snake_case and 2 * 3'],
    ['| a | b |', ''],
    ['| a | b |\n|--', ''],
    ['| a | b |\n|---|---|\n', '| a | b |\n|---|---|'],
    ['| a |\n|---|\n| **b', '| a |\n|---|\n| **b**'],
    ['text\n-', 'text'],
    ['text\n##', 'text'],
    ['- [x] a\n- [ ', '- [x] a'],
    ['text\n```py', 'text'],
    ['```py\na\n``', '```py\na\n'.trimEnd()],
    ['```py\n**a', '```py\n**a'],
    ['a &am', 'a'],
    ['a <br', 'a'],
    ['a\\', 'a'],
  ])('completes %j as %j', (text, completed) => {
    expect(completeTail(text)).toBe(completed)
  })
})
