import type { TextBlockKind } from '@lyceum/contract/documents'
import { describe, expect, it } from 'vitest'
import type { ExtractedText } from '#providers/text-extraction/port.ts'
import { measureGrowth } from '#testing/cpu-time.ts'
import type { Passage } from './passages.ts'
import { splitPassages } from './passages.ts'

type Piece = { kind?: TextBlockKind; text: string; path?: string[]; page?: number }

function createExtractedText(pieces: readonly Piece[]): ExtractedText {
  let text = ''
  const blocks = pieces.map(({ kind = 'paragraph', text: blockText, path = [], page = null }) => {
    if (text) text += '\n\n'
    const charStart = text.length
    text += blockText
    return { kind, page, headingPath: path, charStart, charEnd: text.length }
  })
  return { text, blocks, pages: null }
}

function createSentences(count: number, word = 'word'): string {
  return Array.from(
    { length: count },
    (_, n) => `Sentence ${n} says ${word} about the harbour and its many ships at sea.`,
  ).join(' ')
}

function split(...pieces: Piece[]): { source: ExtractedText; passages: Passage[] } {
  const source = createExtractedText(pieces)
  return { source, passages: [...splitPassages(source)] }
}

describe('splitPassages', () => {
  it('turns a short section into one passage without its heading and numbers passages in order', () => {
    const { source, passages } = split(
      { kind: 'heading', text: 'Leave', path: ['Leave'] },
      { text: 'Twenty-eight days.', path: ['Leave'] },
      { text: 'Ask in time.', path: ['Leave'] },
      { kind: 'heading', text: 'Pay', path: ['Pay'] },
      { text: 'On the 25th.', path: ['Pay'] },
    )
    expect(passages.map(({ ordinal, text, headingPath }) => ({ ordinal, text, headingPath }))).toEqual([
      { ordinal: 0, text: 'Twenty-eight days.\n\nAsk in time.', headingPath: ['Leave'] },
      { ordinal: 1, text: 'On the 25th.', headingPath: ['Pay'] },
    ])
    for (const { text, charStart, charEnd } of passages)
      expect(source.text.slice(charStart, charEnd)).toBe(text)
  })

  it('splits a long section near 400 tokens, never above 512, with an overlap of whole sentences', () => {
    const { source, passages } = split({ text: createSentences(200), path: ['A'] })
    expect(passages.length).toBeGreaterThan(5)
    for (const passage of passages) expect(passage.tokens).toBeLessThanOrEqual(512)
    for (const passage of passages.slice(0, -1)) expect(passage.tokens).toBeGreaterThan(330)
    for (const [index, passage] of passages.slice(1).entries()) {
      const previous = passages[index]
      const overlap = (previous?.charEnd ?? 0) - passage.charStart
      expect(overlap).toBeGreaterThan(50)
      expect(overlap).toBeLessThan(260)
      expect(passage.text.startsWith('Sentence ')).toBe(true)
      expect(source.text.slice(passage.charStart, passage.charEnd)).toBe(passage.text)
    }
    expect(passages.at(-1)?.charEnd).toBe(source.text.length)
  })

  it('does not overlap into another section', () => {
    const { passages } = split(
      { text: createSentences(60, 'first'), path: ['A'] },
      { kind: 'heading', text: 'B', path: ['B'] },
      { text: createSentences(60, 'second'), path: ['B'] },
    )
    for (const passage of passages) expect(passage.text).not.toMatch(/first[\s\S]*second/)
    expect(
      passages.every((passage) => passage.text.includes('first') === (passage.headingPath[0] === 'A')),
    ).toBe(true)
  })

  it('ends a passage at the end of a paragraph where possible', () => {
    const { passages } = split(
      ...Array.from({ length: 12 }, () => ({ text: createSentences(6), path: ['A'] })),
    )
    for (const passage of passages.slice(0, -1)) expect(passage.text).toMatch(/Sentence 5 [^.]*\.$/)
  })

  it('splits tables between rows without overlap', () => {
    const rows = Array.from(
      { length: 120 },
      (_, n) => `Country: Land ${n} | Daily allowance: ${n} euros | Hotel: ${n * 2} euros`,
    )
    const { passages } = split({ kind: 'table', text: rows.join('\n'), path: ['Rates'] })
    expect(passages.length).toBeGreaterThan(3)
    expect(passages.flatMap((passage) => passage.text.split('\n'))).toEqual(rows)
  })

  it.each(['table', 'list'] as const)('never cuts a row of a %s, also between paragraphs', (kind) => {
    const rows = Array.from({ length: 90 }, (_, n) =>
      `Row ${n}: ${`cell ${n}. `.repeat(1 + ((n * 7) % 60))}`.trim(),
    )
    const { passages } = split(
      { text: createSentences(20), path: ['Rates'] },
      { kind, text: rows.join('\n'), path: ['Rates'] },
      { text: createSentences(20), path: ['Rates'] },
    )
    const lines = passages.flatMap(({ text }) => text.split('\n')).filter((line) => line.includes('cell'))
    expect(lines).toEqual(rows)
    expect(passages.length).toBeGreaterThan(20)
  })

  it('ends a long passage at a page break and joins the short remainder of a page with the next page', () => {
    const { passages } = split(
      { text: createSentences(20, 'one'), path: ['A'], page: 1 },
      { text: createSentences(4, 'two'), path: ['A'], page: 2 },
      { text: createSentences(12, 'three'), path: ['A'], page: 3 },
    )
    expect(passages.map(({ page, text }) => [page, /two/.test(text), /three/.test(text)])).toEqual([
      [1, false, false],
      [2, true, true],
    ])
  })

  it('keeps a heading without text unless subheadings follow', () => {
    const { passages } = split(
      { kind: 'heading', text: 'Part one', path: ['Part one'] },
      { kind: 'heading', text: 'Rules', path: ['Part one', 'Rules'] },
      { text: 'Knock first.', path: ['Part one', 'Rules'] },
      { kind: 'heading', text: 'Closed in August', path: ['Closed in August'] },
    )
    expect(passages.map((passage) => passage.text)).toEqual(['Knock first.', 'Closed in August'])
  })

  it('splits very long words and Chinese text without spaces', () => {
    const chinese = '每年有二十八天的带薪假期，入职五年后增加到三十天。'.repeat(120)
    for (const text of ['x'.repeat(9000), '𠮷'.repeat(3000), chinese, 'word '.repeat(3000)]) {
      const { source, passages } = split({ text, path: [] })
      expect(passages.length).toBeGreaterThan(2)
      for (const passage of passages) {
        expect(passage.tokens).toBeLessThanOrEqual(512)
        expect(passage.text.isWellFormed()).toBe(true)
      }
      expect(passages.at(-1)?.charEnd).toBe(source.text.length)
    }
  })

  it('splits a sentence without an end at a space', () => {
    const { passages } = split({ text: 'word '.repeat(20_000) })
    for (const { text } of passages) expect(text).toMatch(/^(?:word )+$/)
  })

  const pieces = ['a', 'a.', 'word ', ' ', '.', '"', ')', '1.', '休', '。', '\u0301', '\ud800', 'A b. ']
  function repeat(piece: string, length: number): ExtractedText {
    return createExtractedText([{ text: `x${piece.repeat(length / piece.length)}y` }])
  }

  it.each(pieces)('needs linear time for a long run of “%s”', (piece) => {
    expect(measureGrowth((length) => [...splitPassages(repeat(piece, length))], 40_000)).toBeLessThan(30)
  })

  it.each(pieces)('finds the first passage of a long run of “%s” without reading all of it', (piece) => {
    const sources = new Map([40_000, 400_000].map((length) => [length, repeat(piece, length)]))
    function findFirst(length: number): void {
      const source = sources.get(length)
      if (source) splitPassages(source).next()
    }
    expect(measureGrowth(findFirst, 40_000)).toBeLessThan(4)
  })

  it('yields nothing for an empty text', () => {
    expect([...splitPassages({ text: '', blocks: [], pages: null })]).toEqual([])
  })
})
