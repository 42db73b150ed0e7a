import { describe, expect, it } from 'vitest'
import { maxAnswerLength } from '#providers/assistant/model-calls.ts'
import { measureGrowth } from '#testing/cpu-time.ts'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import { type CheckedPart, createCitationFilter } from './citations.ts'
import { createJoiner, isContinuable, numberPassages } from './continuation.ts'
import { createEvidence } from './evidence.ts'
import type { StoredCitation } from './stored-citations.ts'
import { createStrictFilter } from './strict.ts'

function join(before: string, pieces: readonly string[]): string {
  const joiner = createJoiner(before)
  return before + pieces.map((piece) => joiner.push(piece)).join('') + joiner.end()
}
/** Joins the text whole and character by character: the result must be the same. */
function joinWithAnySplit(before: string, text: string): string {
  const whole = join(before, [text])
  expect(join(before, [...text])).toBe(whole)
  return whole
}

describe('isContinuable', () => {
  const row = {
    role: 'assistant',
    state: 'interrupted',
    mode: 'model',
    content: 'Half a',
    requested_model: 'gpt-4o',
  } as const
  it.each([
    [true, 'an interrupted reply', {}],
    [true, 'a stopped reply', { state: 'stopped' }],
    [false, 'a complete reply', { state: 'complete' }],
    [false, 'a running reply', { state: 'streaming' }],
    [false, 'a failed reply', { state: 'failed', content: '' }],
    [false, 'a blank reply', { content: ' \n' }],
    [false, 'a quotation', { mode: 'extractive' }],
    [false, 'a refusal', { mode: 'refusal' }],
    [false, 'a reply without a recorded mode', { mode: null }],
    [false, 'a reply of an external assistant', { requested_model: 'assistant' }],
    [false, 'a reply of the maximum length', { content: 'x'.repeat(maxAnswerLength) }],
    [false, 'a question', { role: 'user', state: null, mode: null }],
  ] as const)('returns %s for %s', (expected, _, changes) => {
    expect(isContinuable({ ...row, ...changes })).toBe(expected)
  })
})

describe('createJoiner', () => {
  it.each([
    ['the last words', 'The allowance is 62.50 euros', '62.50 euros a day.', ' a day.'],
    ['a word that had been cut in half', 'The daily allow', 'allowance is paid.', 'ance is paid.'],
    [
      'the whole earlier text',
      'The allowance is paid. It is',
      'The allowance is paid. It is high.',
      ' high.',
    ],
    ['text across a line break', 'One.\n\n- two', 'One.\n\n- two\n- three', '\n- three'],
    ['a word after trailing whitespace', 'The allowance is paid. ', 'allowance is paid. Always.', 'Always.'],
    ['text that starts with whitespace', 'The allowance is paid', ' allowance is paid daily.', ' daily.'],
    ['text that begins inside a word', 'The allowance is paid', 'lowance is paid daily.', ' daily.'],
    ['two words', 'A telescope gathers light', ' gathers light for us', ' for us'],
    ['text in a script without spaces', '有給休暇は年に二十日', '年に二十日です。', 'です。'],
    ['text with a citation', 'It is 62 euros [1].', 'euros [1]. More [2].', ' More [2].'],
  ])('removes repetitions: %s', (_, before, text, rest) => {
    expect(joinWithAnySplit(before, text)).toBe(before + rest)
  })

  it.each([
    ['text that is only similar', 'It is so. ', 'It was not.', 'It was not.'],
    ['a word that matches the end of another', 'They met in the rain', 'in Oslo.', ' in Oslo.'],
    ['short repetitions that may be intended', 'ha ha ', 'ha ha!', 'ha ha!'],
    ['the next row of a table', '| 1 | 2 |\n', '| 1 | 3 |', '| 1 | 3 |'],
    ['closing brackets', '  }\n}\n', '}\n', '}\n'],
    ['closing tags', '</div>\n</div>\n', '</div>\n', '</div>\n'],
    ['a word used twice', 'It had', ' had to be', ' had to be'],
    ['whitespace', 'One', ' two', ' two'],
    ['a number', 'It is 62.', '50 euros', '50 euros'],
    ['a full stop', 'It is 62 euros [1]', '.', '.'],
    ['text without spaces', '年に', '二十日', '二十日'],
  ])('leaves %s', (_, before, text, added) => {
    expect(joinWithAnySplit(before, text)).toBe(before + added)
  })

  it.each([
    ['words', 'One', 'two', ' two'],
    ['sentences', 'One.', 'Two', ' Two'],
  ])('adds a missing space between %s', (_, before, text, added) => {
    expect(joinWithAnySplit(before, text)).toBe(before + added)
  })

  it('takes linear time for long repetitive texts', () => {
    function joinRepeated(size: number) {
      const before = 'ab '.repeat(10 * size)
      const text = join(
        before,
        Array.from({ length: size }, () => 'ab '),
      )
      expect(text.length).toBeGreaterThanOrEqual(before.length)
    }
    expect(measureGrowth(joinRepeated, 1000)).toBeLessThan(40)
  })

  it('takes linear time for a text that almost repeats the end', () => {
    function joinAlmostRepeated(size: number) {
      expect(join(`${'.'.repeat(size)}y`, ['.'.repeat(size + 2)])).toHaveLength(2 * size + 3)
    }
    expect(measureGrowth(joinAlmostRepeated, 1000)).toBeLessThan(40)
  })

  it('removes the longest of several possible repetitions', () => {
    expect(join('He said no no no no no no', ['no no no no no no no, thanks'])).toBe(
      'He said no no no no no no no, thanks',
    )
  })
})

describe('numberPassages', () => {
  function createPassage(documentId: string, charStart: number): FoundPassage {
    return {
      passageId: `${documentId}/${charStart}`,
      documentId,
      versionId: 'v',
      version: 1,
      title: documentId,
      fileType: 'txt',
      page: null,
      pageBreaks: [],
      headingPath: [],
      charStart,
      charEnd: charStart + 100,
      text: '',
      tokens: 1,
      ordinal: 0,
      generation: 'g',
      score: 1,
      lexical: 1,
      similarity: null,
      coverage: 1,
      match: 1,
      wordsRank: 1,
      meaningRank: null,
    }
  }
  function createCitation(n: number, documentId: string, charStart: number, version = 1): StoredCitation {
    return {
      n,
      documentId,
      version,
      title: documentId,
      fileType: 'txt',
      page: null,
      headingPath: [],
      charStart: charStart + 10,
      charEnd: charStart + 20,
      quote: 'q',
    }
  }
  const [a, b, c] = [createPassage('a', 0), createPassage('b', 0), createPassage('b', 100)]

  it('numbers passages in search order when nothing was cited', () => {
    expect(numberPassages([a, b, c], [])).toEqual([a, b, c])
  })
  it('assigns the same numbers to the same search', () => {
    expect(numberPassages([a, b, c], [createCitation(2, 'b', 0), createCitation(3, 'b', 100)])).toEqual([
      a,
      b,
      c,
    ])
  })
  it('keeps the numbers of cited passages when the order changes', () => {
    expect(numberPassages([c, b, a], [createCitation(1, 'a', 0)])).toEqual([a, c, b])
  })
  it('never reassigns the number of a missing passage or of another version', () => {
    expect(numberPassages([a, b], [createCitation(1, 'gone', 0), createCitation(3, 'a', 0, 2)])).toEqual([
      null,
      a,
      null,
      b,
    ])
  })
})

const sources = [
  { title: 'Policy', headingPath: [], text: 'The daily allowance in Norway is 62.50 euros.' },
  null,
  { title: 'Handbook', headingPath: [], text: 'Every employee has twenty days of paid leave.' },
]
function toText(parts: readonly CheckedPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `[${part.n}]`)).join('')
}

describe('a filter that continues an earlier text', () => {
  function continueAnswer(before: string, text: string): string {
    function run(pieces: readonly string[]): string {
      const filter = createCitationFilter(createEvidence(sources), before)
      return toText(
        [...pieces.flatMap((piece) => filter.push(piece)), ...filter.end()].flatMap((piece) =>
          piece.release(true),
        ),
      )
    }
    expect(run([...text])).toBe(run([text]))
    return run([text])
  }

  it('checks a citation against a sentence that began in the earlier text', () => {
    expect(continueAnswer('The daily allowance in Norway', ' is 62.50 euros [1].')).toBe(
      ' is 62.50 euros [1].',
    )
    expect(continueAnswer('The daily allowance in Sweden', ' is 62.50 euros [1].')).toBe(' is 62.50 euros.')
  })
  it('never emits the earlier text again', () => {
    for (const before of ['It is so [1]', 'It is so [1] ', 'It is `so', 'It is so ', 'One\n\n```\ncode\n'])
      expect(continueAnswer(before, ' more')).toBe(' more')
  })
  it('joins adjacent citations across the break', () => {
    expect(continueAnswer('Every employee has twenty days of paid leave [3]', '[1] [3].')).toBe('[3].')
  })
  it('leaves code unchanged if the earlier text opened it', () => {
    expect(continueAnswer('```\nlist', '[9]\n```\nand list [9]')).toBe('[9]\n```\nand list')
    expect(continueAnswer('Write `list', '[9]` or list [9]')).toBe('[9]` or list')
    expect(continueAnswer('Write `list', ' [9] and more')).toBe(' and more')
  })
  it('removes unassigned numbers', () => {
    expect(continueAnswer('Well, ', 'every employee has twenty days of paid leave [2].')).toBe(
      'every employee has twenty days of paid leave.',
    )
  })

  it('shows only supported sentences of a strict answer, separated from the earlier text', () => {
    function continueStrictAnswer(before: string, text: string): string {
      const filter = createStrictFilter(createEvidence(sources), before)
      const parts = [...filter.push(text), ...filter.end()].flatMap((piece) => piece.release(true))
      expect(filter.hasReleased()).toBe(true)
      return before + toText(parts)
    }
    const first = 'The daily allowance in Norway is 62.50 euros [1].'
    const second = 'Every employee has twenty days of paid leave [3].'
    expect(continueStrictAnswer(first, ` ${second}`)).toBe(`${first} ${second}`)
    expect(continueStrictAnswer(first, second)).toBe(`${first} ${second}`)
    expect(continueStrictAnswer(first, `\n\n${second}`)).toBe(`${first}\n\n${second}`)
    expect(continueStrictAnswer(first, ` It rains. ${second} It snows [1].`)).toBe(`${first} ${second}`)
    expect(continueStrictAnswer(first, ' NO_ANSWER')).toBe(first)
  })
})
