import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { openReranker } from './assistant.ts'

let server: ModelStandIn
beforeAll(async () => {
  server = await startModelStandIn()
})
afterEach(() => server.reset())
afterAll(() => server.close())

const signal = new AbortController().signal
const texts = ['The ferry leaves at noon.', 'The library opens at nine.', 'The library has a garden.']

/** The stand-in's address without /v1. */
function getOrigin(): string {
  return new URL(server.url).origin
}

function open(path: string, options: { model?: string; apiKey?: string; now?: () => number } = {}) {
  const { model = '', apiKey = '', now = Date.now } = options
  return openReranker({ url: `${getOrigin()}${path}`, apiKey, model }, { now })
}

function rank(reranker = open('/v1/rerank')) {
  return reranker.rerank('When does the library open? opens', texts, signal)
}

function answerWith(body: string): void {
  server.always({ on: 'reranking', fault: { kind: 'body', contentType: 'application/json', body } })
}

describe('the formats', () => {
  it('of Jina, Cohere and llama.cpp: documents in, results out', async () => {
    const scores = await rank(open('/v1/rerank', { model: 'bge-reranker', apiKey: 'sesame' }))
    expect(scores).toHaveLength(3)
    expect(Math.max(...scores)).toBe(scores[1])
    expect(server.requests).toMatchObject([
      {
        path: '/v1/rerank',
        headers: { authorization: 'Bearer sesame' },
        body: { model: 'bge-reranker', documents: texts, top_n: 3, return_documents: false },
      },
    ])
  })

  it('of Text Embeddings Inference: texts in, a list out', async () => {
    const scores = await rank(open('/rerank'))
    expect(Math.max(...scores)).toBe(scores[1])
    expect(server.requests).toMatchObject([{ path: '/rerank', body: { texts, truncate: true } }])
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('are found out by the first refusal, and remembered', async () => {
    const json = '{"results":[{"index":0,"score":0.1},{"index":1,"score":0.9},{"index":2,"score":0.2}]}'
    server.script(
      { on: 'reranking', fault: { kind: 'status', status: 422, message: 'missing field `documents`' } },
      { on: 'reranking', fault: { kind: 'body', contentType: 'application/json', body: json } },
      { on: 'reranking', fault: { kind: 'body', contentType: 'application/json', body: json } },
    )
    const reranker = open('/rerank')
    expect(await rank(reranker)).toEqual([0.1, 0.9, 0.2])
    await rank(reranker)
    expect(server.requests.map(({ body }) => Object.keys(body).includes('documents'))).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('an answer is refused', () => {
  it.each([
    ['with too few results', '{"results":[{"index":0,"relevance_score":0.9}]}'],
    ['with an index that is too high', '[{"index":0,"score":1},{"index":1,"score":1},{"index":3,"score":1}]'],
    ['with an index twice', '[{"index":0,"score":1},{"index":1,"score":1},{"index":1,"score":1}]'],
    ['with a negative index', '[{"index":0,"score":1},{"index":1,"score":1},{"index":-1,"score":1}]'],
    ['with NaN', '[{"index":0,"score":NaN},{"index":1,"score":1},{"index":2,"score":1}]'],
    [
      'with a score that is not finite',
      '[{"index":0,"score":1e999},{"index":1,"score":1},{"index":2,"score":1}]',
    ],
    ['without scores', '[{"index":0},{"index":1},{"index":2}]'],
    ['without a ranking', '{"ok":true}'],
  ])('%s', async (_, body) => {
    answerWith(body)
    await expect(rank()).rejects.toMatchObject({ code: 'assistant.unavailable' })
  })

  it('after one attempt, as users wait for it', async () => {
    server.always({ on: 'reranking', fault: { kind: 'status', status: 500, message: 'broken' } })
    await expect(rank()).rejects.toThrow('500')
    expect(server.requests).toHaveLength(1)
  })
})

it('is left alone for a minute after three failures', async () => {
  let now = 0
  const reranker = open('/v1/rerank', { now: () => now })
  server.always({ on: 'reranking', fault: { kind: 'reset' } })
  for (let at = 0; at < 3; at += 1) await expect(rank(reranker)).rejects.toThrow('connection failed')
  expect(reranker.pausedUntil).toBe(60_000)
  await expect(rank(reranker)).rejects.toThrow('not called')
  server.always({})
  now = 60_000
  expect(await rank(reranker)).toHaveLength(3)
  expect(reranker.pausedUntil).toBeNull()
})

it('counts an answer that comes too late', async () => {
  const reranker = open('/v1/rerank', { now: () => 0 })
  server.always({ on: 'reranking', fault: { kind: 'hang' } })
  for (const count of [1, 2, 3]) {
    const late = new AbortController()
    const ranking = reranker.rerank('When?', texts, late.signal)
    await server.whenRequested(count)
    late.abort(new DOMException('late', 'TimeoutError'))
    await expect(ranking).rejects.toThrow('late')
  }
  expect(reranker.pausedUntil).not.toBeNull()
})

it('sends no more of a text than such models read', async () => {
  await open('/v1/rerank').rerank('When?', ['x'.repeat(5000)], signal)
  expect(server.requests[0]?.body['documents']).toEqual(['x'.repeat(2000)])
})
