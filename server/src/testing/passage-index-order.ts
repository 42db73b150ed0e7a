import { beforeEach, expect, it } from 'vitest'
import type { PassageHit, PassageIndex } from '#providers/passage-index/port.ts'
import { addSamples, createVector, generation, ids, passage, searchIndex } from './passage-index-samples.ts'

type SearchOptions = Parameters<typeof searchIndex>[2]

function createSearch(getIndex: () => PassageIndex) {
  return (text: string, options: SearchOptions = {}): Promise<PassageHit[]> =>
    searchIndex(getIndex(), text, options)
}

/** The cases of the compliance suite about questions that follow another one. */
export function describeEarlierQuestions(getIndex: () => PassageIndex): void {
  const search = createSearch(getIndex)
  const context = 'Is it cold in Norway?'
  beforeEach(() =>
    addSamples(getIndex(), generation('g1'), [
      passage('asked', 'Norway is cold in the winter months.'),
      passage('wanted', 'The allowance for Norway is eighty euros.'),
      passage('plain', 'The allowance is paid together with the monthly salary.'),
      ...Array.from({ length: 20 }, (_, n) => passage(`p${n}`, `The lift to floor ${n} is out of order.`)),
    ]),
  )

  it('uses the words of the earlier question with less weight', async () => {
    const hits = await search('How high is the allowance there?', { context })
    expect(ids(hits)).toHaveLength(3)
    expect(ids(hits)[0]).toBe('wanted')
    const [wanted, asked] = ['wanted', 'asked'].map((id) => hits.find(({ passageId }) => passageId === id))
    expect(asked?.coverage).toBeGreaterThan(0)
    expect(asked?.coverage).toBeLessThan(wanted?.coverage ?? 0)
    expect(asked?.match).toBeLessThan(wanted?.match ?? 0)
    expect(asked?.lexical).toBeLessThan(wanted?.lexical ?? 0)
  })

  it('measures a question of three words or more by its own words', async () => {
    const question = 'When is the allowance paid with the salary?'
    const hits = await search(question, { context })
    expect(ids(hits)).toEqual(['plain', 'wanted', 'asked'])
    expect(hits.map(({ coverage }) => Math.round(coverage * 10))).toEqual([10, expect.any(Number), 0])
    const alone = await search(question)
    expect(hits[0]?.match).toBe(alone[0]?.match)
    expect(hits[1]?.coverage).toBe(alone[1]?.coverage)
  })

  it('ignores the earlier question if this one has many words', async () => {
    const question = 'When is the allowance paid together with the monthly salary of the lift attendant?'
    expect(await search(question, { context })).toEqual(await search(question))
  })

  it('searches a question without content words as the earlier one', async () => {
    const [first] = await search('And why?', { context })
    expect(first).toMatchObject({ passageId: 'asked', coverage: 1 })
    expect(await search('And why?')).toEqual([])
  })
}

/** More passages than a search ranks. */
const alikeIds = Array.from({ length: 60 }, (_, n) => `p${String(n).padStart(2, '0')}`)

/** The cases about passages that match equally well. */
export function describeTies(getIndex: () => PassageIndex): void {
  const search = createSearch(getIndex)
  it.each<[string, string, SearchOptions]>([
    ['the words', 'anchor', {}],
    ['the meaning', 'hook', { embedding: createVector(1) }],
    ['the earlier question', 'hook', { context: 'anchor' }],
    ['all of them', 'anchor', { context: 'chain', embedding: createVector(1) }],
  ])(
    'orders passages that match %s equally well by id, in whatever order they were added',
    async (_, text, more) => {
      const alike = alikeIds.map((id) => passage(id, 'the anchor chain', { embedding: createVector(1, 0.2) }))
      const [even, odd] = [0, 1].map((rest) => alike.filter((_each, n) => n % 2 === rest))
      for (const added of [[...(odd ?? []), ...(even ?? [])], alike.toReversed()]) {
        await addSamples(getIndex(), generation('g1'), added.slice(0, 40))
        await addSamples(getIndex(), generation('g2'), added.slice(40))
        const hits = await search(text, { ...more, generations: ['g1', 'g2'], limit: 60 })
        expect(ids(hits)).toEqual(alikeIds.slice(0, 50))
        await getIndex().drop(['g1', 'g2'])
      }
    },
  )
}
