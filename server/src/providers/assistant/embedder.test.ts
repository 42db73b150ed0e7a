import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createEndpointAssistant } from './assistant.ts'
import type { Embedder } from './port.ts'

let standIn: ModelStandIn
beforeAll(async () => {
  standIn = await startModelStandIn()
})
afterEach(() => standIn.reset())
afterAll(() => standIn.close())

const signal = new AbortController().signal
const kinds = ['openai', 'compatible'] as const

function createEmbedder(kind: (typeof kinds)[number] = 'compatible', firstMs = 10_000): Embedder {
  const { embedder } = createEndpointAssistant(
    { kind, baseUrl: standIn.url, apiKey: 'sk-test', supportsStore: false },
    {
      embeddingModel: 'text-embedding-3-small',
      modelMap: {},
      now: Date.now,
      timeouts: { firstMs },
      wait: () => Promise.resolve(),
    },
  )
  if (!embedder) throw new Error('no embedder')
  return embedder
}

function dot(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

describe.each(kinds)('embed (%s)', (kind) => {
  it('returns unit vectors in the order of the texts', async () => {
    const { vectors, inputTokens } = await createEmbedder(kind).embed(
      ['The parental leave policy', 'Parental leave policies', 'Boiling point of water', ''],
      signal,
    )
    expect(vectors).toHaveLength(4)
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array)
      expect(dot(vector, vector)).toBeCloseTo(1, 5)
    }
    expect(dot(vectors[0], vectors[1])).toBeGreaterThan(0.5)
    expect(dot(vectors[0], vectors[2])).toBeLessThan(0.3)
    expect(inputTokens).toBeGreaterThan(0)
    expect(standIn.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'text-embedding-3-small' },
    })
  })

  it('sends at most 96 texts at a time', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `passage number ${index}`)
    const { vectors } = await createEmbedder(kind).embed(texts, signal)
    expect(vectors).toHaveLength(200)
    expect(standIn.requests.map(({ body }) => (body['input'] as string[]).length)).toEqual([96, 96, 8])
    const [last] = (await createEmbedder(kind).embed(['passage number 199'], signal)).vectors
    expect(dot(vectors[199], last)).toBeCloseTo(1, 5)
  })

  it('sends no request without texts', async () => {
    expect(await createEmbedder(kind).embed([], signal)).toEqual({ vectors: [], inputTokens: 0 })
    expect(standIn.requests).toEqual([])
  })
})

describe('embed after a failure', () => {
  it('retries once after a 500', async () => {
    standIn.script({ on: 'embeddings', fault: { kind: 'status', status: 500 } })
    expect((await createEmbedder().embed(['a text'], signal)).vectors).toHaveLength(1)
    expect(standIn.requests).toHaveLength(2)
  })

  it('fails after a second 500', async () => {
    const fault = { kind: 'status', status: 500 } as const
    standIn.script({ on: 'embeddings', fault }, { on: 'embeddings', fault })
    await expect(createEmbedder().embed(['a text'], signal)).rejects.toMatchObject({
      code: 'assistant.unavailable',
    })
  })

  it('rejects vectors with a different dimension than before', async () => {
    const embedder = createEmbedder()
    await embedder.embed(['a text'], signal)
    standIn.script({ on: 'embeddings', dimensions: 128 })
    await expect(embedder.embed(['a text'], signal)).rejects.toMatchObject({
      code: 'assistant.unavailable',
      detail: 'received embeddings with 256 and 128 dimensions',
    })
  })

  it.each([
    ['too few embeddings', '{"data":[]}'],
    ['a zero vector', '{"data":[{"embedding":[0,0]}]}'],
    ['a body without embeddings', '{"ok":true}'],
  ])('rejects %s', async (_name, body) => {
    standIn.script({ on: 'embeddings', fault: { kind: 'body', contentType: 'application/json', body } })
    await expect(createEmbedder().embed(['a text'], signal)).rejects.toMatchObject({
      code: 'assistant.unavailable',
    })
  })

  it('fails after the timeout', async () => {
    standIn.script({ on: 'embeddings', fault: { kind: 'hang' } })
    const embedding = createEmbedder('compatible', 1500).embed(['a text'], signal)
    await expect(embedding).rejects.toMatchObject({ code: 'assistant.timeout' })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('stops when aborted', async () => {
    standIn.script({ on: 'embeddings', fault: { kind: 'hang' } })
    const controller = new AbortController()
    const embedding = createEmbedder().embed(['a text'], controller.signal)
    await standIn.whenRequested(1)
    controller.abort(new Error('stopped'))
    await expect(embedding).rejects.toThrow('stopped')
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('estimates tokens if none are reported', async () => {
    standIn.script({ on: 'embeddings', usage: false })
    expect((await createEmbedder().embed(['twelve chars'], signal)).inputTokens).toBe(4)
  })

  it.each([-1, 5.5, 1e300])('estimates tokens if %d are reported', async (tokens) => {
    standIn.script({ on: 'embeddings', tokens })
    expect((await createEmbedder().embed(['twelve chars'], signal)).inputTokens).toBe(4)
  })
})
