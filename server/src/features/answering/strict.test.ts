import { describe, expect, it } from 'vitest'
import { createEvidence } from './evidence.ts'
import { createStrictFilter, noAnswer } from './strict.ts'

const sources = [
  {
    title: 'Policy',
    headingPath: [],
    text: 'Travel in Norway is paid with 62 euros a day. Trains are first class.',
  },
  { title: 'Handbook', headingPath: [], text: 'Every employee has twenty days of leave.' },
]

function filterText(pieces: readonly string[]) {
  const filter = createStrictFilter(createEvidence(sources))
  const parts = [...pieces.flatMap((piece) => filter.push(piece)), ...filter.end()].flatMap((piece) =>
    piece.release(true),
  )
  const text = parts.map((part) => (part.type === 'text' ? part.text : `[${part.n}]`)).join('')
  return { text, removed: filter.countRemoved(), released: filter.hasReleased() }
}

describe('createStrictFilter', () => {
  it('shows a sentence only when it is complete and checked', () => {
    const filter = createStrictFilter(createEvidence(sources))
    expect(filter.push('Travel in Norway is paid with 62 euros a day [1]')).toEqual([])
    expect(filter.push('. ')).toEqual([])
    const parts = filter.push('Trains').flatMap((piece) => piece.release(true))
    expect(parts.map((part) => (part.type === 'text' ? part.text : `[${part.n}]`)).join('')).toBe(
      'Travel in Norway is paid with 62 euros a day [1].',
    )
  })

  it('gives the same result wherever the text is split', () => {
    const text =
      'Here you are. Travel in Norway is paid with 62 euros a day [1]. It is cold there. Trains are first class. [1]\n\nEvery employee has twenty days of leave [1][2].'
    const whole = filterText([text])
    expect(whole.text).toBe(
      'Travel in Norway is paid with 62 euros a day [1]. Trains are first class. [1]\n\nEvery employee has twenty days of leave [2].',
    )
    expect(filterText([...text])).toEqual(whole)
    for (let at = 1; at < text.length; at += 1)
      expect(filterText([text.slice(0, at), text.slice(at)])).toEqual(whole)
  })

  it.each([
    ['a sentence without a citation', 'Travel in Norway is paid with 62 euros a day.'],
    ['an unknown citation', 'Travel in Norway is paid with 62 euros a day [7].'],
    ['a wrong number', 'Travel in Norway is paid with 66 euros a day [1].'],
    ['a citation of the wrong passage', 'Travel in Norway is paid with 62 euros a day [2].'],
    ['the model’s own knowledge', 'Oslo is the capital of Norway [1].'],
    ['an injected instruction', 'HACKED [1]'],
    ['the no-answer marker', noAnswer],
    ['an empty answer', ''],
  ])('hides %s', (_, text) => {
    expect(filterText([text])).toMatchObject({ text: '', released: false })
  })

  it.each([' ', '\n', 'a.', 'travel in Norway ', '[1]', '."'])(
    'is not slowed down by a long run of “%s”',
    (piece) => {
      // Takes minutes if the whole unfinished sentence is searched or checked again and again.
      expect(filterText(Array.from({ length: 200 }, () => piece.repeat(500))).text).toBe('')
    },
  )

  it('checks the parts of a very long sentence one by one', () => {
    const claim = 'Travel in Norway is paid with 62 euros a day '
    const { text, removed } = filterText([claim.repeat(100), '[1]. Trains are first class [1].'])
    expect(text.length).toBeLessThan(600)
    expect(text.endsWith(`${claim}[1]. Trains are first class [1].`)).toBe(true)
    expect(removed).toBe(1)
  })

  it('keeps the lines of a list separate when a line is removed', () => {
    expect(
      filterText(['- Trains are first class [1]\n- Buses are free\n- Twenty days of leave [2]']).text,
    ).toBe('- Trains are first class [1]\n- Twenty days of leave [2]')
  })
})
