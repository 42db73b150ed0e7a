import type { Nodes } from 'hast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it, vi } from 'vitest'
import { GrowingReply, type ReplyGroup } from './growing-reply.ts'
import { parseBlock } from './parse-block.ts'
import { maxBlockCost, maxReplyCost } from './parse-limits.ts'

vi.mock('mdast-util-from-markdown', async (original) => {
  const actual = await original<typeof import('mdast-util-from-markdown')>()
  return { ...actual, fromMarkdown: vi.fn(actual.fromMarkdown) }
})

const kilobyte = 1024

function fill(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)
}

/** A random number generator with a seed (mulberry32). */
function createRandom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const special = [...'*_~`[]()<>!|\\$&#+-.=:@^{}"\'']

/** Every special character alone, spaced, in words, on lines and in paragraphs. */
const repeated = special.flatMap((mark) =>
  [mark, `${mark} `, `a${mark}`, `a ${mark}${mark}b`, `${mark}\n`, `${mark} a\n`, `${mark} a\n\n`].map(
    (pattern) => [JSON.stringify(pattern), pattern] as const,
  ),
)

const shapes = [
  ['a table of 200 columns', `${'|a'.repeat(200)}|\n${'|-'.repeat(200)}|\n`, `${'|b'.repeat(200)}|\n`],
  ['a wide table with empty rows', `${'|a'.repeat(400)}|\n${'|-'.repeat(400)}|\n`, '|\n'],
  ['a table without pipes', 'a|b\n-|-\n', 'a\n'],
  ['a table in a list', '- |a|b|\n  |-|-|\n', '  |c|\n'],
  ['hard breaks', '', 'a\\\n'],
  ['hard breaks with spaces', '', 'a  \n'],
  ['open formulas', '', '\\('],
  ['formulas', '', '\\(a\\) '],
  ['open environments', '', '\\begin{align}'],
  ['nested emphasis', '', '*a **b '],
  ['closing emphasis', '*a '.repeat(1_000), 'a* '],
  ['links', '', '[a](http://b) '],
  ['half links', '', '[a]('],
  ['references', '[a]: http://b\n\n', '[a]'],
  ['footnotes', '[^a]: x\n\n', '[^a]'],
  ['definitions', '', '[a]: b\n'],
  ['addresses', '', 'http://a.b '],
  ['one address with entities', 'http://a.b/', '&a;'],
  ['email addresses', '', 'a@b.c '],
  ['quotations in lists', '', '> - '],
  ['deep quotations', '', `${'> '.repeat(49)}a\n\n`],
  ['deep lists', '', `${'- '.repeat(49)}a\n`],
  ['headings by underlining', '', 'a\n-\n'],
  ['code', '', '```js\na\n```\n'],
  ['open code', '```\n', 'a\n'],
  ['indented code', '', '    a\n\n'],
  ['tasks', '', '- [ ] a\n'],
  ['citations', '', '[1]'],
  ['a list of numbers in one bracket', '[', '1,'],
  ['words after an open bracket', '[', 'a '],
  ['words after a bracket closed in code', '[`]` ', 'a,'],
  ['words after an escaped bracket', '[\\]', '(w'],
  ['possible addresses after an open bracket', '[', '1h'],
  ['lines after an open bracket', '[', 'a b c d e f g h\n'],
  ['line breaks', '', '<br>'],
  ['entities', '', '&amp;'],
  ['spaces', '', ' '],
  ['one word', '', 'a'],
  ['paragraphs', '', 'Word\n\n'],
] as const

function createMixedText(seed: number): string {
  const random = createRandom(seed)
  const pieces = [
    ...special,
    ...special,
    ' ',
    '\n',
    '\n\n',
    'a',
    '1. ',
    '- ',
    '> ',
    '|-|-|\n',
    '```\n',
    '$$',
    '\\(',
    '\\\\',
  ]
  const pattern = Array.from({ length: 2 + random(40) }, () => pieces[random(pieces.length)]).join('')
  return random(2) === 0
    ? fill(pattern, 16 * kilobyte)
    : Array.from({ length: 16 * kilobyte }, () => pieces[random(pieces.length)]).join('')
}

function countElements(node: Nodes): number {
  const own = node.type === 'element' ? 1 : 0
  return 'children' in node ? node.children.reduce((sum, child) => sum + countElements(child), own) : own
}

function sumCost(group: ReplyGroup): number {
  return group.reduce((sum, { cost }) => sum + cost, 0)
}

const visible = /[^\s\uFDD0-\uFDEF]/g

function expectBounded(text: string): void {
  const { groups } = new GrowingReply().split(text, false)
  const blocks = groups.flat()
  // A group is mounted at once.
  for (const group of groups) if (group.length > 1) expect(sumCost(group)).toBeLessThanOrEqual(maxBlockCost)
  const formatted = blocks.filter(({ isPlain }) => !isPlain)
  expect(sumCost(formatted)).toBeLessThanOrEqual(maxReplyCost)
  // Repeated blocks are parsed only once here.
  for (const [block, cost] of new Map(formatted.map(({ text: block, cost }) => [block, cost]))) {
    expect(cost).toBeLessThanOrEqual(maxBlockCost)
    let elements = 0
    try {
      elements = countElements(parseBlock(block, 'p'))
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
    expect(elements, block.slice(0, 100)).toBeLessThanOrEqual(2 * cost)
  }
  for (const [markdown] of vi.mocked(fromMarkdown).mock.calls.splice(0))
    expect(String(markdown).match(/[*_~[\]<>|&@\\$]/g)?.length ?? 0).toBeLessThanOrEqual(2 * maxBlockCost)
  // Nothing is lost.
  const shown = blocks.map((block) => block.text).join('')
  expect(shown.match(visible)?.length).toBe(text.match(visible)?.length)
}

describe('the work for a reply is bounded', () => {
  it.each(repeated)('for 16 kB of %s', (_, pattern) => {
    expectBounded(fill(pattern, 16 * kilobyte))
  })

  it.each(shapes)('for 16 and 256 kB of %s', (_, begin, pattern) => {
    for (const size of [16, 256]) expectBounded(begin + fill(pattern, size * kilobyte - begin.length))
  })

  it.each(Array.from({ length: 24 }, (_, seed) => seed))('for marks mixed with seed %i', (seed) => {
    expectBounded(createMixedText(seed))
  })

  it.each(shapes)('while %s grow', (_, begin, pattern) => {
    const text = begin + fill(pattern, 32 * kilobyte)
    const reply = new GrowingReply()
    let known: readonly ReplyGroup[] = []
    for (let length = 512; length <= text.length; length += 512) {
      const { groups } = reply.split(text.slice(0, length), true)
      // Only the end is rendered again, whatever the length so far.
      expect(known.filter((group, index) => group !== groups[index]).length).toBeLessThanOrEqual(2)
      for (const group of groups)
        if (group.length > 1) expect(sumCost(group)).toBeLessThanOrEqual(maxBlockCost)
      known = groups
    }
  })
})
