import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type CheckedPiece, createCitationFilter } from './citations.ts'
import { createJoiner } from './continuation.ts'
import { createEvidence } from './evidence.ts'
import { createStrictFilter } from './strict.ts'

const sources = [
  {
    title: 'Travel policy',
    headingPath: ['Allowances'],
    text: 'The daily allowance for travel in Norway is 62.50 euros. Receipts are kept for ten years.',
  },
  { title: 'Handbook', headingPath: [], text: 'Every employee has twenty days of paid leave.' },
]

const fragments = [
  'The daily allowance for travel in Norway is 62.50 euros',
  'Every employee has twenty days of paid leave',
  'Whales sing',
  ' [1]',
  '[2]',
  ' [1, 2]',
  '[1][2]',
  ' [9]',
  '[',
  '. ',
  '.\n\n',
  '。',
  '\n- ',
  '`a[1]`',
  '`',
  '```\nx[1]\n```\n',
  '   ',
  '😀',
  'NO_ANSWER',
  'année',
  '**bold** ',
]

/** Returns numbers below a limit, the same ones for the same seed. */
function createRandom(seed: number) {
  let state = seed
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

type Random = ReturnType<typeof createRandom>

function writeReply(random: Random): string {
  return Array.from({ length: 2 + random(14) }, () => fragments[random(fragments.length)]).join('')
}

/** Cuts a text anywhere, between the halves of a character too. */
function cut(text: string, random: Random): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + random(random(2) === 0 ? 3 : 40)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

interface Filter {
  push(text: string): CheckedPiece[]
  end(): CheckedPiece[]
  countRemoved(): number
}

/** What readers see, in order: text, and citations with the sentence they belong to. */
function run(filter: Filter, pieces: readonly string[]) {
  const shown: (string | { n: number; sentence: string })[] = []
  const checked = [...pieces.flatMap((piece) => filter.push(piece)), ...filter.end()]
  for (const part of checked.flatMap((piece) => piece.release(true))) {
    if (part.type === 'cite') shown.push({ n: part.n, sentence: part.sentence })
    else if (typeof shown.at(-1) === 'string') shown.push(`${shown.pop()}${part.text}`)
    else shown.push(part.text)
  }
  return { shown, removed: filter.countRemoved() }
}

const firstSeed = randomInt(2 ** 32)
const seeds = Array.from({ length: 300 }, (_, at) => (firstSeed + at) >>> 0)

describe('a reply that arrives in frames of any size', () => {
  it.each([
    ['an open channel', () => createCitationFilter(createEvidence(sources))],
    ['a strict channel', () => createStrictFilter(createEvidence(sources))],
  ])('has the same text, citations and removals in %s', (_name, createFilter) => {
    for (const seed of seeds) {
      const random = createRandom(seed)
      const text = writeReply(random)
      const whole = run(createFilter(), [text])
      expect(run(createFilter(), cut(text, random)), `seed ${seed}: ${JSON.stringify(text)}`).toEqual(whole)
    }
  })

  it('continues an interrupted reply with the same text', () => {
    for (const seed of seeds) {
      const random = createRandom(seed)
      const before = writeReply(random)
      const text = before.slice(-random(before.length + 1)) + writeReply(random)
      function join(pieces: readonly string[]): string {
        const joiner = createJoiner(before)
        return pieces.map((piece) => joiner.push(piece)).join('') + joiner.end()
      }
      expect(join(cut(text, random)), `seed ${seed}: ${JSON.stringify([before, text])}`).toBe(join([text]))
    }
  })
})
