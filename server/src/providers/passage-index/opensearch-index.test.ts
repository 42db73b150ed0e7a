import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type OpenSearchFault,
  type OpenSearchProxy,
  startOpenSearchProxy,
} from '#testing/opensearch-proxy.ts'
import { describePassageIndex } from '#testing/passage-index-compliance.ts'
import { createAlias, deleteIndex, requireOpenSearch } from '#testing/test-opensearch.ts'
import { createOpenSearchIndex, readOpenSearchSize } from './opensearch-index.ts'
import { type PassageIndex, SearchUnavailable } from './port.ts'

const aliases: string[] = []
function newAlias(): string {
  const alias = createAlias()
  aliases.push(alias)
  return alias
}
afterAll(async () => {
  for (const alias of aliases) await deleteIndex(alias)
})

/** The machine may be busy. */
const searchLimitMs = 60_000

describePassageIndex('OpenSearch', async () =>
  createOpenSearchIndex({ url: requireOpenSearch(), alias: newAlias(), searchLimitMs }),
)

const generation = { id: 'g1', documentId: 'd1', channelId: 'c1' }
const passage = { id: 'p1', title: '', headingPath: [], text: 'the anchor' }
const query = { channelId: 'c1', generations: ['g1'], text: 'anchor', embedding: null, limit: 5 }

async function countHits(index: PassageIndex): Promise<number> {
  return (await index.search(query)).hits.length
}

describe('the index in OpenSearch', () => {
  const url = requireOpenSearch()

  it('is created once by servers that start at the same time, which see each other’s passages', async () => {
    const alias = newAlias()
    const [first, second] = [1, 2].map(() => createOpenSearchIndex({ url, alias, searchLimitMs }))
    if (!first || !second) throw new Error('unreachable')
    await Promise.all([first.size(null), second.size(null)])
    await first.add(generation, [passage])
    expect(await countHits(second)).toBe(1)
    await second.drop(['g1'])
    expect(await countHits(first)).toBe(0)
  })

  it('keeps its passages over a start, and is created again when it has another layout', async () => {
    const alias = newAlias()
    await createOpenSearchIndex({ url, alias, searchLimitMs }).add(generation, [passage])
    expect(await countHits(createOpenSearchIndex({ url, alias, searchLimitMs }))).toBe(1)
    await fetch(`${url}/${alias}/_mapping`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ _meta: { layout: 0 } }),
    })
    expect(await createOpenSearchIndex({ url, alias, searchLimitMs }).search(query)).toEqual({
      hits: [],
      searched: 0,
    })
  })

  it('is created again when it was lost, and reports that its passages must be added again', async () => {
    const alias = newAlias()
    const vectors = [{ passageId: 'p1', embedding: Float32Array.of(1, 2) }]
    let rebuilt = 0
    const index = createOpenSearchIndex({
      url,
      alias,
      searchLimitMs,
      onRebuilt: () => {
        rebuilt += 1
      },
    })
    await index.add(generation, [passage])
    await index.addVectors('s', vectors)
    await deleteIndex(alias)
    await expect(readOpenSearchSize(url, alias)).rejects.toThrow('does not exist in OpenSearch')
    await expect(index.add(generation, [passage])).rejects.toBeInstanceOf(SearchUnavailable)
    expect(await index.search(query)).toEqual({ hits: [], searched: 0 })
    expect(rebuilt).toBe(1)
    await index.add(generation, [passage])
    await index.addVectors('s', vectors)
    const embedding = { space: 's', vector: Float32Array.of(1, 2) }
    const { hits } = await index.search({ ...query, embedding })
    expect(hits[0]?.similarity).toBeGreaterThan(0.99)
  })
})

describe('while OpenSearch is away', () => {
  let proxy: OpenSearchProxy
  let index: PassageIndex
  beforeEach(async () => {
    proxy = await startOpenSearchProxy(requireOpenSearch())
    const url = proxy.url.replace('//', '//lyceum:p%40ss@')
    index = createOpenSearchIndex({ url, alias: newAlias(), searchLimitMs })
  })
  afterEach(() => proxy.close())

  const incomplete = {
    took: 1,
    timed_out: false,
    _shards: { total: 2, successful: 1, failed: 1 },
    hits: { total: { value: 0, relation: 'eq' }, hits: [] },
    aggregations: { languages: { buckets: [] }, generations: { doc_count: 1 } },
  }
  it.each<[string, OpenSearchFault, string]>([
    ['cuts the connection', 'down', 'cannot be reached'],
    [
      'answers 503',
      { status: 503, body: '{"error":{"type":"x","reason":"all shards failed"}}' },
      'all shards',
    ],
    ['refuses the password', { status: 401, body: 'Unauthorized' }, 'refused the user name or password'],
    ['is a web page', { status: 200, body: '<h1>It works!</h1>' }, 'does not answer as OpenSearch does'],
    ['is another service', { status: 200, body: '{"ok":true}' }, 'does not answer as OpenSearch does'],
    ['searches only a part', { status: 200, body: JSON.stringify(incomplete) }, 'does not answer'],
  ])('a search throws when the server %s, and works afterwards', async (_, fault, message) => {
    await index.add(generation, [passage])
    proxy.fail(fault)
    const failed = index.search(query)
    await expect(failed).rejects.toBeInstanceOf(SearchUnavailable)
    await expect(failed).rejects.toThrow(message)
    await expect(index.add(generation, [passage])).rejects.toBeInstanceOf(SearchUnavailable)
    proxy.recover()
    expect(await countHits(index)).toBe(1)
  })

  it('a search throws when one of its parts failed', async () => {
    await index.add(generation, [passage])
    const failed = { error: { type: 'x', reason: 'too many requests' }, status: 429 }
    proxy.fail({ status: 200, body: JSON.stringify({ responses: [failed, failed] }) }, '_msearch')
    await expect(index.search(query)).rejects.toThrow('too many requests')
  })

  it.each(['_search', '_msearch', '_cat'])('a search gives up when %s is not answered', async (path) => {
    const hasty = createOpenSearchIndex({ url: proxy.url, alias: newAlias(), searchLimitMs: 1 })
    proxy.fail('silent', path)
    const failed = hasty.search(query)
    await expect(failed).rejects.toBeInstanceOf(SearchUnavailable)
    await expect(failed).rejects.toThrow('did not answer in time')
  })

  it('sends the user name and the password of the URL', async () => {
    await index.size(null)
    const expected = `Basic ${Buffer.from('lyceum:p@ss').toString('base64')}`
    expect(proxy.requests.map(({ authorization }) => authorization)).toContain(expected)
  })

  it('a passage that OpenSearch does not accept is no outage', async () => {
    await index.size(null)
    const error = { type: 'mapper_parsing_exception', reason: 'failed to parse' }
    const answer = { errors: true, items: [{ index: { status: 400, error } }] }
    proxy.fail({ status: 200, body: JSON.stringify(answer) }, '_bulk')
    const failed = index.add(generation, [passage])
    await expect(failed).rejects.toThrow('failed to parse')
    await expect(failed).rejects.not.toBeInstanceOf(SearchUnavailable)
  })
})
