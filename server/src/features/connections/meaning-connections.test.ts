import {
  connectionsApi,
  type EmbeddingsConnectionInput,
  type RerankingConnectionInput,
} from '@lyceum/contract/connections'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const key = 'sesame-0f1e2d3c4b5a'
const unreachable = 'http://127.0.0.1:9'

let app: TestApp
let admin: TestUser
let server: ModelStandIn
beforeEach(async () => {
  server = await startModelStandIn()
  await start()
})
afterEach(async () => {
  await app.close()
  await server.close()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await buildTestApp({ env })
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
}
async function restart(env: Record<string, string>): Promise<void> {
  await app.close()
  await start(env)
}
async function read() {
  return (await app.call(connectionsApi.get, { as: admin })).body
}
async function readStoredText(): Promise<string> {
  const { db } = app.deps
  const rows = [
    await db.selectFrom('settings').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
  ]
  return JSON.stringify(rows)
}

function embeddings(changes: Partial<EmbeddingsConnectionInput> = {}): EmbeddingsConnectionInput {
  const prefixes = { queryPrefix: 'query:', passagePrefix: 'passage:' }
  return { baseUrl: server.url, apiKey: key, model: 'bge-m3', ...prefixes, ...changes }
}
function setEmbeddings(changes: Partial<EmbeddingsConnectionInput> = {}) {
  return app.call(connectionsApi.setEmbeddings, { as: admin, body: embeddings(changes) })
}
async function tryEmbeddings(changes: Partial<EmbeddingsConnectionInput> = {}) {
  return (await app.call(connectionsApi.testEmbeddings, { as: admin, body: embeddings(changes) })).body
}

function reranking(changes: Partial<RerankingConnectionInput> = {}): RerankingConnectionInput {
  return { url: `${server.url}/rerank`, apiKey: key, model: 'bge-reranker', ...changes }
}
function setReranking(changes: Partial<RerankingConnectionInput> = {}) {
  return app.call(connectionsApi.setReranking, { as: admin, body: reranking(changes) })
}
async function tryReranking(changes: Partial<RerankingConnectionInput> = {}) {
  return (await app.call(connectionsApi.testReranking, { as: admin, body: reranking(changes) })).body
}

describe('PUT /settings/connections/embeddings', () => {
  it.each([
    ['baseUrl', { baseUrl: '' }],
    ['baseUrl', { baseUrl: 'localhost:8080' }],
    ['baseUrl', { baseUrl: 'https://user:pass@models.example.org/v1' }],
    ['baseUrl', { baseUrl: 'http://169.254.169.254/latest' }],
    ['baseUrl', { baseUrl: 'http://missing.invalid/v1' }],
    ['apiKey', { apiKey: 'two words' }],
    ['model', { model: '' }],
    ['queryPrefix', { queryPrefix: 'x'.repeat(501) }],
  ])('rejects a wrong %s', async (field, changes) => {
    const { status, body } = await setEmbeddings(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    expect((await read()).embeddings.source).toBe('none')
  })

  it('applies at once without a language model, and stores the key encrypted', async () => {
    const { status, body, bytes } = await setEmbeddings({ baseUrl: `${server.url}/` })
    expect([status, body.embeddings]).toEqual([
      200,
      {
        source: 'stored',
        baseUrl: server.url,
        hasApiKey: true,
        model: 'bge-m3',
        queryPrefix: 'query:',
        passagePrefix: 'passage:',
        variables: {},
      },
    ])
    const { chat, embedder } = app.deps.assistant
    expect(chat).toBeNull()
    await embedder?.embed(['When?'], 'question', new AbortController().signal)
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${key}` },
      body: { model: 'bge-m3', input: ['query: When?'] },
    })
    expect(`${bytes}${await readStoredText()}`).not.toContain('sesame')
  })

  it('keeps the key only for the same address', async () => {
    await setEmbeddings()
    const { apiKey: _, ...withoutKey } = embeddings()
    function put(body: EmbeddingsConnectionInput) {
      return app.call(connectionsApi.setEmbeddings, { as: admin, body })
    }
    expect((await put({ ...withoutKey, model: 'other' })).body.embeddings).toMatchObject({
      hasApiKey: true,
      model: 'other',
    })
    const { status, body } = await put({ ...withoutKey, baseUrl: `${unreachable}/v1` })
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['apiKey']])
  })

  it('takes the place of the model endpoint until it is removed', async () => {
    const model = { baseUrl: `${unreachable}/v1`, apiKey: 'other', model: '', embeddingModel: 'small' }
    await app.call(connectionsApi.setModel, { as: admin, body: model })
    expect(app.deps.assistant.embedder?.model).toBe('small')
    await setEmbeddings()
    expect(app.deps.assistant.embedder?.model).toBe('bge-m3')
    await app.call(connectionsApi.remove, { as: admin, params: { part: 'embeddings' } })
    expect(app.deps.assistant.embedder?.model).toBe('small')
    expect((await read()).embeddings.source).toBe('none')
  })
})

describe('an embedding server of the environment', () => {
  const env = {
    EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1',
    EMBEDDING_API_KEY: key,
    EMBEDDING_MODEL: 'e5',
    EMBEDDING_QUERY_PREFIX: 'query:',
  }

  it('cannot be changed, and applies beside a stored model', async () => {
    await restart(env)
    const model = { baseUrl: server.url, apiKey: 'other', model: '', embeddingModel: 'small' }
    await app.call(connectionsApi.setModel, { as: admin, body: model })
    expect((await read()).embeddings).toMatchObject({
      source: 'environment',
      hasApiKey: true,
      model: 'e5',
      queryPrefix: 'query:',
      variables: { baseUrl: 'EMBEDDING_BASE_URL', queryPrefix: 'EMBEDDING_QUERY_PREFIX' },
    })
    expect(app.deps.assistant.embedder?.model).toBe('e5')
    const { status, body } = await setEmbeddings()
    expect([status, body.message]).toEqual([
      409,
      'Set by EMBEDDING_BASE_URL on the server, so it cannot be changed here.',
    ])
  })

  it('can be turned off, and its prefixes apply to other endpoints', async () => {
    await restart({ ...env, EMBEDDING_MODEL: 'none' })
    expect(app.deps.assistant.embedder).toBeNull()
    await restart({ EMBEDDING_QUERY_PREFIX: 'search_query:' })
    const model = { baseUrl: server.url, apiKey: key, model: '', embeddingModel: 'nomic' }
    await app.call(connectionsApi.setModel, { as: admin, body: model })
    await app.deps.assistant.embedder?.embed(['When?'], 'question', new AbortController().signal)
    expect(server.requests[0]?.body).toMatchObject({ input: ['search_query: When?'] })
  })
})

describe('POST /settings/connections/embeddings/test', () => {
  it('says how long the vectors are, and stores nothing', async () => {
    const { ok, words } = await tryEmbeddings()
    expect([ok, words]).toEqual([
      true,
      [expect.stringMatching(/^bge-m3 answered in .* \(256 dimensions\)\.$/)],
    ])
    expect((await read()).embeddings.source).toBe('none')
  })

  it.each([
    [{ kind: 'status', status: 401, message: `Wrong key ${key}` }, 'refused the API key'],
    [{ kind: 'status', status: 404, message: 'no such model' }, 'does not offer this model'],
    [{ kind: 'body', contentType: 'text/html', body: '<p>Hello</p>' }, 'check its URL'],
    [
      { kind: 'body', contentType: 'application/json', body: '{"data":[{"embedding":[0,0]}]}' },
      'zero or not finite',
    ],
    [{ kind: 'body', contentType: 'application/json', body: '{"data":[]}' }, '0 embeddings for 1 texts'],
  ] as const)('explains %j', async (fault, reason) => {
    server.always({ on: 'embeddings', fault })
    const { ok, words, details = [] } = await tryEmbeddings()
    expect([ok, words]).toEqual([false, [expect.stringContaining(reason)]])
    expect([...words, ...details].join()).not.toContain('sesame')
  })

  it('names the address at which no server answers', async () => {
    expect((await tryEmbeddings({ baseUrl: `${unreachable}/v1` })).words).toEqual([
      `No server answers at ${unreachable}/v1. Check the address and that the server is running.`,
    ])
  })
})

describe('PUT /settings/connections/reranking', () => {
  it.each([
    ['url', { url: '' }],
    ['url', { url: 'http://169.254.169.254/rerank' }],
    ['apiKey', { apiKey: 'two words' }],
    ['model', { model: 'two words' }],
  ])('rejects a wrong %s', async (field, changes) => {
    const { status, body } = await setReranking(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    expect(app.deps.assistant.reranker).toBeNull()
  })

  it('applies at once, stores the key encrypted, and can be removed', async () => {
    const { status, body, bytes } = await setReranking()
    expect([status, body.reranking]).toEqual([
      200,
      {
        source: 'stored',
        url: `${server.url}/rerank`,
        hasApiKey: true,
        model: 'bge-reranker',
        variables: {},
      },
    ])
    expect(app.deps.assistant.reranker?.name).toBe('bge-reranker')
    expect(`${bytes}${await readStoredText()}`).not.toContain('sesame')
    await app.call(connectionsApi.remove, { as: admin, params: { part: 'reranking' } })
    expect(app.deps.assistant.reranker).toBeNull()
  })

  it('cannot be changed if the environment sets it', async () => {
    await restart({ RERANK_URL: `${unreachable}/rerank`, RERANK_API_KEY: key })
    expect((await read()).reranking).toMatchObject({ source: 'environment', hasApiKey: true })
    expect((await setReranking()).status).toBe(409)
  })
})

describe('POST /settings/connections/reranking/test', () => {
  it('checks that the right passage comes first, and stores nothing', async () => {
    const { ok, words } = await tryReranking()
    expect([ok, words]).toEqual([true, [expect.stringMatching(/^bge-reranker answered in/)]])
    expect((await read()).reranking.source).toBe('none')
  })

  it.each([
    [{ kind: 'status', status: 401, message: `Wrong key ${key}` }, 'refused the API key'],
    [{ kind: 'status', status: 500, message: 'broken' }, 'answered with an error (500).'],
    [{ kind: 'body', contentType: 'application/json', body: '{"results":[]}' }, '0 results for 2 texts'],
    [
      {
        kind: 'body',
        contentType: 'application/json',
        body: '{"results":[{"index":0,"relevance_score":0.9},{"index":1,"relevance_score":0.1}]}',
      },
      'preferred a passage that does not answer',
    ],
  ] as const)('explains %j', async (fault, reason) => {
    server.always({ on: 'reranking', fault })
    const { ok, words, details = [] } = await tryReranking()
    expect([ok, words]).toEqual([false, [expect.stringContaining(reason)]])
    expect([...words, ...details].join()).not.toContain('sesame')
  })
})
