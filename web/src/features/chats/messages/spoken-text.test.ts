import { describe, expect, it } from 'vitest'
import { toSpokenText } from './spoken-text.ts'

describe('toSpokenText', () => {
  it.each([
    ['If a > b, then b < a.', 'If a > b, then b < a.'],
    ['use `x >= 1` and `a | b`', 'use x >= 1 and a | b'],
    ['> quoted > text\n> > twice', 'quoted > text twice'],
    ['## A title in C#', 'A title in C#'],
    ['**bold**, *soft*, __strong__, _em_, ~~old~~ and ***all***', 'bold, soft, strong, em, old and all'],
    ['snake_case_name is 2 * 3, about ~5', 'snake_case_name is 2 * 3, about ~5'],
    ['- one\n* two\n+ three\n1. four', 'one two three 1. four'],
    ['```js\na > b\n```\nend', 'a > b end'],
    ['| a | b |\n|---|--:|\n| **1** | 2 |', 'a b 1 2'],
    ['---\nafter', 'after'],
    ['see [the manual](https://example.org/a) [1]', 'see the manual [1]'],
    ['a\u202Eb\u{E0041}c', 'abc'],
  ])('reads %j as %j', (markdown, spoken) => {
    expect(toSpokenText(markdown)).toBe(spoken)
  })

  it('is shortened', () => {
    expect(toSpokenText('word '.repeat(1_000))).toMatch(/^(?:word )+…$/)
    expect(toSpokenText('word '.repeat(1_000)).length).toBeLessThanOrEqual(1_001)
  })

  it.each(['[', '*', '_', '>', '|', '-', ' ', '`', '> - ', '['])('is bounded for a reply of %j', (mark) => {
    expect(toSpokenText(mark.repeat(256_000)).length).toBeLessThanOrEqual(1_001)
  })
})
