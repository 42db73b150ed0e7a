import { describe, expect, it } from 'vitest'
import { type CheckedPart, createCitationFilter, createCitationParser } from './citations.ts'
import { createEvidence } from './evidence.ts'

const sources = [
  {
    title: 'Travel policy',
    headingPath: ['Allowances'],
    text: 'The daily allowance for travel in Norway is 62.50 euros. Receipts are kept for ten years.',
  },
  {
    title: 'Handbook',
    headingPath: ['Leave'],
    text: 'Every employee has twenty days of paid leave. Anna Lindqvist decides about exceptions until 1 March 2026.',
  },
]

function filterText(pieces: readonly string[]) {
  const filter = createCitationFilter(createEvidence(sources))
  const parts: CheckedPart[] = [...pieces.flatMap((piece) => filter.push(piece)), ...filter.end()].flatMap(
    (piece) => piece.release(true),
  )
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : `[${part.n}]`)).join(''),
    cited: parts.flatMap((part) => (part.type === 'cite' ? [part.n] : [])),
    removed: filter.countRemoved(),
  }
}

/** Runs a text whole, character by character and split at every position: the result must be the same. */
function runWithEverySplit(text: string) {
  const whole = filterText([text])
  expect(filterText([...text])).toEqual(whole)
  for (let at = 1; at < text.length; at += 1)
    expect(filterText([text.slice(0, at), text.slice(at)])).toEqual(whole)
  return whole
}

describe('createCitationParser', () => {
  it('holds back only text that may become a citation', () => {
    const parser = createCitationParser()
    expect(parser.push('See [1')).toEqual([{ type: 'text', text: 'See' }])
    expect(parser.push('] and [a')).toEqual([
      { type: 'citations', space: ' ', numbers: [1] },
      { type: 'text', text: ' and [a' },
    ])
    expect(parser.push(' b')).toEqual([{ type: 'text', text: ' b' }])
    expect(parser.end()).toEqual([])
  })

  it.each(['  ', '\t', '[', '[1, ', '[1]', '`', '` ', '``a`'])(
    'is not slowed down by a long run of “%s”',
    (piece) => {
      // Takes minutes if the rest of the text is searched from each position.
      const text = piece.repeat(300_000)
      const parser = createCitationParser()
      const parts = [...parser.push(text), ...parser.end()]
      const length = parts.reduce((sum, part) => {
        if (part.type === 'text') return sum + part.text.length
        return sum + part.space.length + part.numbers.length * '[1]'.length
      }, 0)
      expect(length).toBe(text.length)
    },
  )

  it.each(['  ', '[1]', '`', '`aaaa'])(
    'holds back a limited part of a long run that begins with “%s”',
    (start) => {
      const parser = createCitationParser()
      parser.push(start)
      const piece = start.slice(-1).repeat(1000)
      let heldBack = start.length
      for (let round = 0; round < 20; round += 1) {
        heldBack += piece.length
        for (const part of parser.push(piece)) if (part.type === 'text') heldBack -= part.text.length
        expect(heldBack).toBeLessThan(6000)
      }
    },
  )

  it('returns an unfinished citation as text', () => {
    const parser = createCitationParser()
    expect([...parser.push('See [12'), ...parser.end()]).toEqual([
      { type: 'text', text: 'See' },
      { type: 'text', text: ' [12' },
    ])
  })
})

describe('createCitationFilter', () => {
  it('keeps supported citations wherever the text is split', () => {
    const text =
      'The daily allowance in Norway is 62.50 euros [1]. Employees have twenty days of paid leave [2].'
    expect(runWithEverySplit(text)).toEqual({ text, cited: [1, 2], removed: 0 })
  })

  it('accepts citations after the full stop, in lists and side by side', () => {
    expect(runWithEverySplit('The daily allowance in Norway is 62.5 euros. [1]').cited).toEqual([1])
    expect(runWithEverySplit('- Twenty days of paid leave for every employee [2, 7]').text).toBe(
      '- Twenty days of paid leave for every employee [2]',
    )
    expect(
      runWithEverySplit('The daily allowance in Norway is 62.50 euros and paid leave is twenty days [1][2].')
        .cited,
    ).toEqual([1, 2])
  })

  it('removes unknown numbers with the space before them', () => {
    expect(runWithEverySplit('The daily allowance in Norway is 62.50 euros [0] [3] [41].')).toEqual({
      text: 'The daily allowance in Norway is 62.50 euros.',
      cited: [],
      removed: 3,
    })
  })

  it('removes citations of passages that do not support the sentence', () => {
    for (const claim of [
      'The daily allowance in Norway is 65.20 euros',
      'The daily allowance in Sweden is 62.50 euros',
      'Receipts are kept for eleven years',
      'Every employee has twenty days of paid leave',
      'Whales are the largest animals of the sea',
    ])
      expect([claim, runWithEverySplit(`${claim} [1].`)]).toEqual([
        claim,
        { text: `${claim}.`, cited: [], removed: 1 },
      ])
    expect(runWithEverySplit('Anna Lindqvist decides about exceptions until 1 May 2026 [2].').cited).toEqual(
      [],
    )
    expect(runWithEverySplit('Per Olsson decides about exceptions until 1 March 2026 [2].').cited).toEqual([])
  })

  it('leaves code unchanged', () => {
    const text = 'Use `list[1]` here:\n```\nvalue[1] = other [2]\n```\nDone'
    expect(runWithEverySplit(text)).toEqual({ text, cited: [], removed: 0 })
  })

  it('keeps checking after an unpaired backtick', () => {
    expect(runWithEverySplit('A ` alone\nWhales sing [1].').text).toBe('A ` alone\nWhales sing.')
    expect(runWithEverySplit("Whales in the `stable' sing [41].").text).toBe("Whales in the `stable' sing.")
    expect(runWithEverySplit('A ``list[1]` of whales [41].').text).toBe('A ``list` of whales.')
  })

  it('reads citations after many spaces and in long rows', () => {
    const claim = 'The daily allowance in Norway is 62.50 euros'
    expect(runWithEverySplit(`${claim}${' '.repeat(40)}[1].`).cited).toEqual([1])
    expect(runWithEverySplit(`${claim} ${'[2]'.repeat(20)}[1].`)).toEqual({
      text: `${claim}[1].`,
      cited: [1],
      removed: 2,
    })
  })

  it('does not take the result of an earlier claim', () => {
    const text = 'The daily allowance in Norway is 62.50 euros [1]. Whales sing [1].\n[1]'
    expect(runWithEverySplit(text)).toMatchObject({ cited: [1], removed: 2 })
  })

  it('keeps checking after a backtick whose partner is far away', () => {
    const { text, removed } = filterText([`A \` here. Whales sing [1]. ${'a '.repeat(3000)}\``])
    expect([text.slice(0, 24), removed]).toEqual(['A ` here. Whales sing. a', 1])
  })

  it('removes citations from a list of sources at the end', () => {
    expect(runWithEverySplit('Sources:\n[1] Travel policy\n[9] Nature').text).toBe(
      'Sources:\n Travel policy\n Nature',
    )
  })
})
