import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createEndpointEmbedder } from './assistant.ts'
import type { EmbeddingConnection } from './embedder.ts'

let standIn: ModelStandIn
beforeAll(async () => {
  standIn = await startModelStandIn()
})
afterEach(() => standIn.reset())
afterAll(() => standIn.close())

const signal = new AbortController().signal
const kinds = ['openai', 'compatible'] as const

interface Options {
  kind?: (typeof kinds)[number]
  connection?: Partial<EmbeddingConnection>
  firstMs?: number
  now?: () => number
}

function createEmbedder({ kind = 'compatible', connection, firstMs = 10_000, now = Date.now }: Options = {}) {
  return createEndpointEmbedder(
    { kind, baseUrl: standIn.url, apiKey: 'sk-test', supportsStore: false },
    {
      baseUrl: standIn.url,
      apiKey: 'sk-test',
      model: 'text-embedding-3-small',
      queryPrefix: '',
      passagePrefix: '',
      ...connection,
    },
    { now, timeouts: { firstMs }, wait: () => Promise.resolve() },
  )
}

function dot(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}

describe.each(kinds)('embed (%s)', (kind) => {
  it('returns unit vectors in the order of the texts', async () => {
    const { vectors, inputTokens } = await createEmbedder({ kind }).embed(
      ['The parental leave policy', 'Parental leave policies', 'Boiling point of water', ''],
      'passage',
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

  it('sends at most 32 texts at a time', async () => {
    const texts = Array.from({ length: 70 }, (_, index) => `passage number ${index}`)
    const { vectors } = await createEmbedder({ kind }).embed(texts, 'passage', signal)
    expect(vectors).toHaveLength(70)
    expect(standIn.requests.map(({ body }) => (body['input'] as string[]).length)).toEqual([32, 32, 6])
    const [last] = (await createEmbedder({ kind }).embed(['passage number 69'], 'passage', signal)).vectors
    expect(dot(vectors[69], last)).toBeCloseTo(1, 5)
  })

  it('sends no request without texts', async () => {
    expect(await createEmbedder({ kind }).embed([], 'passage', signal)).toEqual({
      vectors: [],
      inputTokens: 0,
    })
    expect(standIn.requests).toEqual([])
  })
})

describe('embed after a failure', () => {
  it('retries once after a 500', async () => {
    standIn.script({ on: 'embeddings', fault: { kind: 'status', status: 500 } })
    expect((await createEmbedder().embed(['a text'], 'passage', signal)).vectors).toHaveLength(1)
    expect(standIn.requests).toHaveLength(2)
  })

  it('fails after a second 500', async () => {
    const fault = { kind: 'status', status: 500 } as const
    standIn.script({ on: 'embeddings', fault }, { on: 'embeddings', fault })
    await expect(createEmbedder().embed(['a text'], 'passage', signal)).rejects.toMatchObject({
      code: 'assistant.unavailable',
    })
  })

  it('rejects vectors of different dimensions', async () => {
    const texts = Array.from({ length: 33 }, (_, index) => `passage number ${index}`)
    standIn.script({ on: 'embeddings' }, { on: 'embeddings', dimensions: 128 })
    await expect(createEmbedder().embed(texts, 'passage', signal)).rejects.toMatchObject({
      code: 'assistant.unavailable',
      detail: 'received embeddings with 256 and 128 dimensions',
    })
  })

  it.each([
    ['too few embeddings', '{"data":[]}'],
    ['a zero vector', '{"data":[{"embedding":[0,0]}]}'],
    ['NaN', '{"data":[{"embedding":[0.5,NaN]}]}'],
    ['null instead of a number', '{"data":[{"embedding":[0.5,null]}]}'],
    ['a number that is not finite', '{"data":[{"embedding":[0.5,1e999]}]}'],
    ['vectors of different dimensions', '{"data":[{"embedding":[1,0]},{"embedding":[1]}]}'],
    ['a body without embeddings', '{"ok":true}'],
  ])('rejects %s', async (_name, body) => {
    standIn.script({ on: 'embeddings', fault: { kind: 'body', contentType: 'application/json', body } })
    await expect(createEmbedder().embed(['a text'], 'passage', signal)).rejects.toMatchObject({
      code: 'assistant.unavailable',
    })
  })

  it('fails after the timeout', async () => {
    standIn.script({ on: 'embeddings', fault: { kind: 'hang' } })
    const embedding = createEmbedder({ firstMs: 1500 }).embed(['a text'], 'passage', signal)
    await expect(embedding).rejects.toMatchObject({ code: 'assistant.timeout' })
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('stops when aborted', async () => {
    standIn.script({ on: 'embeddings', fault: { kind: 'hang' } })
    const controller = new AbortController()
    const embedding = createEmbedder().embed(['a text'], 'passage', controller.signal)
    await standIn.whenRequested(1)
    controller.abort(new Error('stopped'))
    await expect(embedding).rejects.toThrow('stopped')
    expect(await standIn.requests[0]?.ended).toBe('aborted')
  })

  it('estimates tokens if none are reported', async () => {
    standIn.script({ on: 'embeddings', usage: false })
    expect((await createEmbedder().embed(['twelve chars'], 'passage', signal)).inputTokens).toBe(4)
  })

  it.each([-1, 5.5, 1e300])('estimates tokens if %d are reported', async (tokens) => {
    standIn.script({ on: 'embeddings', tokens })
    expect((await createEmbedder().embed(['twelve chars'], 'passage', signal)).inputTokens).toBe(4)
  })
})

describe('the texts', () => {
  it('have the prefix of their purpose', async () => {
    const embedder = createEmbedder({
      connection: { queryPrefix: String.raw`Find:\nquery:`, passagePrefix: 'passage:' },
    })
    await embedder.embed(['When?'], 'question', signal)
    await embedder.embed(['At noon.', ''], 'passage', signal)
    expect(standIn.requests.map(({ body }) => body['input'])).toEqual([
      ['Find:\nquery: When?'],
      ['passage: At noon.', 'passage: -'],
    ])
  })

  it.each([
    ['413', { status: 413, message: 'too long' }],
    ['500 of llama.cpp', { status: 500, message: 'input (700 tokens) is too large to process' }],
  ])('are sent apart, and shortened, when the model refuses them with %s', async (_, refusal) => {
    const fault = { kind: 'status', ...refusal } as const
    const long = 'word '.repeat(200)
    const tries = refusal.status === 500 ? 2 : 1
    standIn.script(...Array.from({ length: 2 * tries }, () => ({ on: 'embeddings' as const, fault })))
    const embedder = createEmbedder()
    const { vectors } = await embedder.embed([long, 'short'], 'passage', signal)
    expect(vectors).toHaveLength(2)
    expect(standIn.requests.slice(2 * tries).map(({ body }) => body['input'])).toEqual([
      [long.slice(0, 500)],
      ['short'],
    ])
    expect(embedder.pausedUntil).toBeNull()
  })

  it('are given up when the model refuses even a short one', async () => {
    standIn.always({ on: 'embeddings', fault: { kind: 'status', status: 400, message: 'no' } })
    await expect(createEmbedder().embed(['a text'], 'passage', signal)).rejects.toMatchObject({
      detail: 'the provider answered 400: no',
    })
    expect(standIn.requests).toHaveLength(1)
  })
})

it('has the same fingerprint only for comparable vectors', () => {
  const { fingerprint } = createEmbedder()
  const changes: Partial<EmbeddingConnection>[] = [
    { apiKey: 'another' },
    { queryPrefix: 'query:' },
    { model: 'another' },
    { passagePrefix: 'passage:' },
  ]
  const isSame = changes.map((connection) => createEmbedder({ connection }).fingerprint === fingerprint)
  expect(isSame).toEqual([true, true, false, false])
})

describe('an endpoint that keeps failing', () => {
  let now = 0
  const failure = { kind: 'status', status: 501 } as const
  async function failOften(times: number) {
    const embedder = createEmbedder({ now: () => now })
    standIn.always({ on: 'embeddings', fault: failure })
    for (let at = 0; at < times; at += 1)
      await expect(embedder.embed(['a text'], 'question', signal)).rejects.toThrow('501')
    return embedder
  }

  it('is called again after two failures', async () => {
    const embedder = await failOften(2)
    standIn.always({})
    expect((await embedder.embed(['a text'], 'question', signal)).vectors).toHaveLength(1)
  })

  it('is left alone for a minute, then tried by one call', async () => {
    const embedder = await failOften(3)
    expect(embedder.pausedUntil).toBe(now + 60_000)
    await expect(embedder.embed(['a text'], 'question', signal)).rejects.toThrow('not called')
    expect(standIn.requests).toHaveLength(3)
    now += 60_000
    expect(embedder.pausedUntil).toBeNull()
    standIn.always({ on: 'embeddings', fault: { kind: 'hang' } })
    const stopped = new AbortController()
    const trial = embedder.embed(['a text'], 'question', stopped.signal)
    await standIn.whenRequested(4)
    await expect(embedder.embed(['a text'], 'question', signal)).rejects.toThrow('not called')
    stopped.abort(new DOMException('late', 'TimeoutError'))
    await expect(trial).rejects.toThrow('late')
    expect(embedder.pausedUntil).toBe(now + 60_000)
    now += 60_000
    standIn.always({})
    await embedder.embed(['a text'], 'question', signal)
    expect((await embedder.embed(['a text'], 'question', signal)).vectors).toHaveLength(1)
  })

  it('is called at once when an administrator wants to know', async () => {
    const embedder = await failOften(3)
    standIn.always({})
    embedder.resume()
    expect((await embedder.embed(['a text'], 'question', signal)).vectors).toHaveLength(1)
  })

  it('is not blamed for users who left', async () => {
    const embedder = createEmbedder({ now: () => now })
    standIn.always({ on: 'embeddings', fault: { kind: 'hang' } })
    for (const count of [1, 2, 3]) {
      const left = new AbortController()
      const call = embedder.embed(['a text'], 'question', left.signal)
      await standIn.whenRequested(count)
      left.abort(new Error('left'))
      await expect(call).rejects.toThrow('left')
    }
    expect(embedder.pausedUntil).toBeNull()
  })
})
