import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { PassageHit, PassageIndex } from '#providers/passage-index/port.ts'
import { describeSearchByWords } from './passage-index-languages.ts'
import { describeEarlierQuestions, describeTies } from './passage-index-order.ts'
import {
  addSamples,
  createVector,
  dimensions,
  generation,
  ids,
  passage,
  searchIndex,
  space,
} from './passage-index-samples.ts'

let index: PassageIndex

function search(text: string, more: Parameters<typeof searchIndex>[2] = {}): Promise<PassageHit[]> {
  return searchIndex(index, text, more)
}

function describeAccess(): void {
  it('returns nothing from other channels, even if the query names their generations', async () => {
    await addSamples(index, generation('g1'), [
      passage('p1', 'the anchor is red', { embedding: createVector(1) }),
    ])
    await addSamples(index, generation('g2', 'channel-2'), [
      passage('p2', 'the anchor is blue', { embedding: createVector(1) }),
    ])
    const hits = await search('anchor', { generations: ['g1', 'g2'], embedding: createVector(1) })
    expect(ids(hits)).toEqual(['p1'])
    expect(await search('anchor', { channelId: 'channel-2', generations: ['g1'] })).toEqual([])
  })

  it('returns nothing from other generations', async () => {
    await addSamples(index, generation('g1'), [
      passage('old', 'the anchor is red', { embedding: createVector(1) }),
    ])
    await addSamples(index, generation('g2'), [
      passage('new', 'the anchor is blue', { embedding: createVector(1) }),
    ])
    expect(
      ids(await search('anchor', { generations: ['g2'], embedding: createVector(1), context: 'red' })),
    ).toEqual(['new'])
    expect(await search('anchor', { generations: [], embedding: createVector(1) })).toEqual([])
    expect(await search('anchor', { generations: ['unknown'] })).toEqual([])
  })

  it('reports how many of the generations it has', async () => {
    await addSamples(index, generation('g1'), [passage('p1', 'the anchor is red')])
    await addSamples(index, generation('g2'), [])
    await addSamples(index, generation('g3', 'channel-2'), [passage('p3', 'the anchor is blue')])
    const query = { channelId: 'channel-1', text: 'sail', embedding: null, limit: 5 }
    async function countSearched(generations: string[]): Promise<number> {
      return (await index.search({ ...query, generations })).searched
    }
    expect(await countSearched(['g1', 'g2', 'g3', 'unknown'])).toBe(2)
    await index.drop(['g1'])
    expect(await countSearched(['g1'])).toBe(0)
  })

  it('finds allowed passages behind many better ones that are not allowed', async () => {
    const loud = Array.from({ length: 120 }, (_, n) =>
      passage(`loud-${n}`, 'anchor anchor anchor', { embedding: createVector(1) }),
    )
    await addSamples(index, generation('g2'), loud)
    await addSamples(
      index,
      generation('g3', 'channel-2'),
      loud.map((each) => ({ ...each, id: `far-${each.id}` })),
    )
    const quiet = 'Somewhere in a long sentence about ropes and sails an anchor is named once'
    await addSamples(index, generation('g1'), [passage('quiet', quiet, { embedding: createVector(1, 2) })])
    const hits = await search('anchor', { embedding: createVector(1) })
    expect(ids(hits)).toEqual(['quiet'])
    expect(hits[0]?.lexical).not.toBeNull()
    expect(hits[0]?.similarity).not.toBeNull()
  })

  it('treats operators in a question as plain text', async () => {
    await addSamples(index, generation('g1'), [passage('p1', 'the anchor is red')])
    await addSamples(index, generation('g2', 'channel-2'), [passage('p2', 'the anchor is blue')])
    for (const text of [
      'anchor" OR scope : *',
      "anchor') --",
      'anchor NEAR(blue)',
      'anchor*',
      '^anchor -red {x}',
      'title:anchor',
    ]) {
      expect(ids(await search(text, { generations: ['g1', 'g2'] }))).toEqual(['p1'])
    }
    expect(await search('"" * ( ) : ^ -')).toEqual([])
  })
}

function describeStorage(): void {
  it('replaces a passage that is added again', async () => {
    await addSamples(index, generation('g1'), [
      passage('p1', 'the anchor is red', { embedding: createVector(1) }),
    ])
    await addSamples(index, generation('g1'), [
      passage('p1', 'the sail is white', { embedding: createVector(2) }),
    ])
    expect(await search('anchor')).toEqual([])
    const [hit] = await search('sail', { embedding: createVector(2) })
    expect(hit).toMatchObject({ passageId: 'p1', generation: 'g1' })
    expect(hit?.similarity).toBeGreaterThan(0.99)
    expect(await index.generations('', 10)).toEqual([{ id: 'g1', documentId: 'document-of-g1', passages: 1 }])
  })

  it('adds and replaces the vector of a passage and skips unknown passages', async () => {
    await addSamples(index, generation('g1'), [passage('p1', 'the anchor is red'), passage('p2', 'a sail')])
    expect(await index.size(space)).toMatchObject({ withoutVectors: 1 })
    await addSamples(index, generation('g2'), [passage('p3', 'a mast')])
    await addSamples(index, generation('g3'), [])
    expect(await index.generationsWithoutVectors(space, 10)).toEqual(['g1', 'g2'])
    expect(await index.generationsWithoutVectors(space, 1)).toEqual(['g1'])
    await index.drop(['g2', 'g3'])
    await index.addVectors(space, [
      { passageId: 'p1', embedding: createVector(1) },
      { passageId: 'gone', embedding: createVector(1) },
    ])
    expect((await search('anchor', { embedding: createVector(1) }))[0]?.similarity).toBeGreaterThan(0.99)
    await index.addVectors(space, [{ passageId: 'p1', embedding: createVector(2) }])
    const hits = await search('anchor', { embedding: createVector(2) })
    expect(hits.map(({ passageId }) => passageId)).toEqual(['p1'])
    expect(hits[0]?.similarity).toBeGreaterThan(0.99)
    expect(await index.size(space)).toMatchObject({ passages: 2, withoutVectors: 1 })
    expect(await index.generationsWithoutVectors(space, 10)).toEqual(['g1'])
    await index.addVectors(space, [{ passageId: 'p2', embedding: createVector(3) }])
    expect(await index.size(space)).toMatchObject({ passages: 2, withoutVectors: 0 })
    expect(await index.generationsWithoutVectors(space, 10)).toEqual([])
    expect(await index.generationsWithoutVectors('next', 10)).toEqual(['g1'])
    expect(await index.size(null)).toMatchObject({ passages: 2, withoutVectors: 0 })
    await index.addVectors(space, [{ passageId: 'p1', embedding: new Float32Array(dimensions) }])
    expect((await search('anchor', { embedding: createVector(2) }))[0]?.similarity).toBeNull()
  })

  it('keeps the vectors of several spaces apart, and drops those of one', async () => {
    await addSamples(index, generation('g1'), [
      passage('p1', 'the anchor is red', { embedding: createVector(1) }),
      passage('p2', 'a sail', { embedding: createVector(5) }),
    ])
    expect(await index.size('next')).toMatchObject({ withoutVectors: 1 })
    expect(await search('hook', { embedding: createVector(1), space: 'next' })).toEqual([])
    await index.addVectors('next', [{ passageId: 'p2', embedding: createVector(1) }])
    await index.addVectors('next', [{ passageId: 'p1', embedding: createVector(2) }])
    async function findNearest(inSpace: string): Promise<string | undefined> {
      return ids(await search('hook', { embedding: createVector(1), space: inSpace }))[0]
    }
    expect([await findNearest(space), await findNearest('next')]).toEqual(['p1', 'p2'])
    expect(
      (await search('anchor', { embedding: createVector(1), space: 'next' }))[0]?.similarity,
    ).toBeLessThan(0.9)
    await index.dropVectors(space)
    await index.dropVectors('unknown')
    expect([await findNearest(space), await findNearest('next')]).toEqual([undefined, 'p2'])
    expect(ids(await search('anchor', { embedding: createVector(1) }))).toEqual(['p1'])
    expect(await index.size(space)).toMatchObject({ passages: 2, withoutVectors: 1 })
    expect(await index.size('next')).toMatchObject({ withoutVectors: 0 })
    await addSamples(index, generation('g1'), [passage('p1', 'the anchor is blue')])
    expect(await index.size('next')).toMatchObject({ withoutVectors: 1 })
    await index.drop(['g1'])
    expect(await index.size('next')).toMatchObject({ withoutVectors: 0 })
  })

  it('drops many vectors', async () => {
    const many = Array.from({ length: 450 }, (_, n) =>
      passage(`p${n}`, 'anchor', { embedding: createVector(n) }),
    )
    await addSamples(index, generation('g1'), many)
    await index.dropVectors(space)
    expect(await search('hook', { embedding: createVector(1) })).toEqual([])
    expect(await search('anchor', { embedding: createVector(1) })).toHaveLength(10)
  })

  it('never finds dropped passages', async () => {
    const many = Array.from({ length: 300 }, (_, n) =>
      passage(`p${n}`, `anchor number ${n}`, { embedding: createVector(n) }),
    )
    await addSamples(index, generation('g1'), many)
    await addSamples(index, generation('g2'), [passage('kept', 'another anchor')])
    await index.drop(['g1', 'unknown'])
    expect(ids(await search('anchor', { generations: ['g1', 'g2'], embedding: createVector(3) }))).toEqual([
      'kept',
    ])
    expect(await index.generations('', 10)).toEqual([{ id: 'g2', documentId: 'document-of-g2', passages: 1 }])
    await addSamples(index, generation('g1'), [passage('p7', 'anchor once more')])
    expect(ids(await search('anchor'))).toEqual(['p7'])
  })

  it('drops all generations of a channel and nothing else', async () => {
    await addSamples(index, generation('g1'), [passage('p1', 'anchor')])
    await addSamples(index, generation('g2', 'channel-2'), [passage('p2', 'anchor')])
    await index.dropChannel('channel-1')
    expect(await search('anchor')).toEqual([])
    expect(ids(await search('anchor', { channelId: 'channel-2', generations: ['g2'] }))).toEqual(['p2'])
  })

  it('lists generations by id, a page at a time, including empty ones', async () => {
    for (const id of ['c', 'a', 'b'])
      await addSamples(index, generation(id), id === 'b' ? [] : [passage(`p-${id}`, 'x')])
    const first = await index.generations('', 2)
    expect(first.map((each) => [each.id, each.passages])).toEqual([
      ['a', 1],
      ['b', 0],
    ])
    expect((await index.generations('b', 2)).map((each) => each.id)).toEqual(['c'])
  })
}

function describeSearchByMeaning(): void {
  it('finds passages by meaning without shared words and reports the cosine', async () => {
    const others = Array.from({ length: 100 }, (_, n) =>
      passage(`p${n}`, `filler text ${n}`, { embedding: createVector(n + 10) }),
    )
    await addSamples(index, generation('g1'), [
      passage('near', 'holidays', { embedding: createVector(1, 0.3) }),
      ...others,
    ])
    const [hit] = await search('vacation', { embedding: createVector(1) })
    expect(hit).toMatchObject({
      passageId: 'near',
      lexical: null,
      coverage: 0,
      match: 0,
      wordsRank: null,
      meaningRank: 1,
    })
    const [a, b] = [createVector(1), createVector(1, 0.3)]
    const dot = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    const cosine = dot / Math.hypot(...a) / Math.hypot(...b)
    expect(hit?.similarity).toBeCloseTo(cosine, 1)
    expect((await search('filler'))[0]?.similarity).toBeNull()
  })

  it('ranks passages found by both words and meaning first', async () => {
    await addSamples(index, generation('g1'), [
      passage('anchor', 'the anchor chain', { embedding: createVector(5) }),
      passage('both', 'the anchor chain', { embedding: createVector(1, 0.2) }),
      passage('meaning', 'iron hook', { embedding: createVector(1) }),
      ...Array.from({ length: 60 }, (_, n) => passage(`p${n}`, 'sail', { embedding: createVector(n + 10) })),
    ])
    const hits = await search('anchor', { embedding: createVector(1) })
    expect(ids(hits)[0]).toBe('both')
    function getRanks(id: string) {
      const hit = hits.find(({ passageId }) => passageId === id)
      return [hit?.wordsRank, hit?.meaningRank]
    }
    expect(getRanks('both')).toEqual([2, 2])
    expect(getRanks('anchor')[0]).toBe(1)
    expect(getRanks('meaning')).toEqual([null, 1])
  })

  it('keeps embeddings with different dimensions apart', async () => {
    const short = Float32Array.from({ length: 20 }, (_, n) => Math.cos(n))
    await addSamples(index, generation('g1'), [
      passage('short', 'one', { embedding: short }),
      passage('long', 'two', { embedding: createVector(1) }),
      passage('none', 'three', { embedding: new Float32Array(64) }),
    ])
    expect(ids(await search('', { embedding: short }))).toEqual(['short'])
    expect(ids(await search('', { embedding: createVector(1) }))).toEqual(['long'])
  })

  it('respects the limit', async () => {
    await addSamples(
      index,
      generation('g1'),
      Array.from({ length: 30 }, (_, n) => passage(`p${n}`, `anchor ${n}`)),
    )
    expect(await search('anchor', { limit: 7 })).toHaveLength(7)
    expect(await search('anchor', { limit: 0 })).toEqual([])
  })

  it('finds words that occur in every passage', async () => {
    await addSamples(
      index,
      generation('g1'),
      Array.from({ length: 30 }, (_, n) => passage(`p${n}`, `company ${n}`)),
    )
    expect(await search('company', { limit: 5 })).toHaveLength(5)
  })
}

function describeConcurrency(): void {
  it('answers searches during a large import', async () => {
    await addSamples(index, generation('g1'), [passage('p1', 'the anchor is red')])
    const many = Array.from({ length: 1800 }, (_, n) =>
      passage(`m${n}`, `filler ${n} ${'lorem ipsum dolor '.repeat(60)}`),
    )
    let isAdding = true
    const adding = addSamples(index, generation('g2'), many).then(() => {
      isAdding = false
    })
    let answered = 0
    while (isAdding) {
      expect(ids(await search('anchor'))).toEqual(['p1'])
      answered++
    }
    await adding
    expect(answered).toBeGreaterThan(10)
  })

  it('answers pending searches on close and rejects later ones', async () => {
    await addSamples(index, generation('g1'), [passage('p1', 'the anchor is red')])
    const last = search('anchor')
    await index.close()
    expect(ids(await last)).toEqual(['p1'])
    await expect(search('anchor')).rejects.toThrow()
  })
}

/** Tests that every implementation must pass. Once in each file. */
export function describePassageIndex(name: string, open: () => Promise<PassageIndex>): void {
  describe(`${name} as a passage index`, () => {
    const opened: PassageIndex[] = []
    beforeEach(async () => {
      index = await open()
      opened.push(index)
    })
    afterAll(async () => {
      for (const each of opened) await each.close()
    })

    describe('access', describeAccess)
    describe('storage', describeStorage)
    describe('search by words', () => describeSearchByWords(() => index))
    describe('search by meaning', describeSearchByMeaning)
    describe('earlier questions', () => describeEarlierQuestions(() => index))
    describe('equally good passages', () => describeTies(() => index))
    describe('concurrency', describeConcurrency)
  })
}
