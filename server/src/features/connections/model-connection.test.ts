import { assistantsApi } from '@lyceum/contract/assistants'
import { chatsApi } from '@lyceum/contract/chats'
import { connectionsApi, type ModelConnectionInput } from '@lyceum/contract/connections'
import { getStartedApi } from '@lyceum/contract/get-started'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const key = 'sesame-0f1e2d3c4b5a'

let app: TestApp
let admin: TestUser
let model: ModelStandIn
beforeEach(async () => {
  model = await startModelStandIn()
  await start()
})
afterEach(async () => {
  await app.close()
  await model.close()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await buildTestApp({ env })
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
}
async function restart(env: Record<string, string>): Promise<void> {
  await app.close()
  await start(env)
}

function input(changes: Partial<ModelConnectionInput> = {}): ModelConnectionInput {
  return { baseUrl: model.url, apiKey: key, model: 'local', embeddingModel: '', ...changes }
}
function set(changes: Partial<ModelConnectionInput> = {}) {
  return app.call(connectionsApi.setModel, { as: admin, body: input(changes) })
}
async function tryModel(changes: Partial<ModelConnectionInput> = {}) {
  const { status, body } = await app.call(connectionsApi.testModel, { as: admin, body: input(changes) })
  expect(status).toBe(200)
  return body
}
async function read() {
  return (await app.call(connectionsApi.get, { as: admin })).body.model
}
async function readMode() {
  return (await app.call(assistantsApi.status, { as: admin })).body.mode
}
async function openChat() {
  const channelId = await createTestChannel(app.deps)
  const as = await createUser(app.deps, { channels: [channelId] })
  const { body } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
  const params = { channelId, chatId: body._id }
  return async (message: string) =>
    (await app.call(chatsApi.send, { as, params, body: { message } })).body.reply
}

describe('PUT /settings/connections/model', () => {
  it.each([
    ['baseUrl', { baseUrl: 'localhost:11434' }],
    ['baseUrl', { baseUrl: 'ftp://models.example.org' }],
    ['baseUrl', { baseUrl: 'https://user:pass@models.example.org/v1' }],
    ['baseUrl', { baseUrl: 'http://169.254.169.254/latest' }],
    ['baseUrl', { baseUrl: 'http://2852039166/v1' }],
    ['baseUrl', { baseUrl: 'http://[fe80::1]/v1' }],
    ['baseUrl', { baseUrl: 'http://missing.invalid/v1' }],
    ['apiKey', { apiKey: 'two words' }],
    ['apiKey', { baseUrl: '', apiKey: '' }],
    ['model', { model: 'two words' }],
  ])('rejects a wrong %s', async (field, changes) => {
    const { status, body } = await set(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    expect((await read()).source).toBe('none')
  })

  it('applies at once, and stores the key encrypted', async () => {
    const ask = await openChat()
    expect([await readMode(), (await ask('Before?'))?.state]).toEqual(['extractive', 'complete'])
    const { status, body, bytes } = await set({ baseUrl: `${model.url}/` })
    expect([status, body.model]).toEqual([
      200,
      {
        source: 'stored',
        baseUrl: model.url,
        hasApiKey: true,
        model: 'local',
        embeddingModel: '',
        variables: {},
      },
    ])
    expect(bytes.toString()).not.toContain('sesame')
    expect(await readMode()).toBe('model')
    const { steps } = (await app.call(getStartedApi.get, { as: admin })).body
    expect(steps.find(({ step }) => step === 'model')).toMatchObject({ isDone: false, problem: 'untested' })
    const { parts } = (await app.call(statusApi.get, { as: admin })).body
    expect(parts.find(({ part }) => part === 'model')?.state).toBe('untested')

    expect(await ask('And now?')).toMatchObject({ state: 'complete' })
    expect(model.requests).toMatchObject([
      { body: { model: 'local' }, headers: { authorization: `Bearer ${key}` } },
    ])
    const { db } = app.deps
    const stored = [
      await db.selectFrom('settings').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ]
    expect(JSON.stringify(stored)).not.toContain('sesame')
  })

  it('keeps the key only for the same address', async () => {
    await set()
    const { apiKey: _, ...withoutKey } = input()
    function put(body: ModelConnectionInput) {
      return app.call(connectionsApi.setModel, { as: admin, body })
    }
    expect((await put({ ...withoutKey, model: 'other' })).body.model).toMatchObject({
      hasApiKey: true,
      model: 'other',
    })
    const moved = { ...withoutKey, baseUrl: 'http://localhost:9/v1' }
    for (const call of [connectionsApi.setModel, connectionsApi.testModel]) {
      const { status, body } = await app.call(call, { as: admin, body: moved })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['apiKey']])
    }
    expect((await put({ ...moved, apiKey: '' })).body.model).toMatchObject({ hasApiKey: false })
  })

  it('lets a running reply finish on the model it began with', async () => {
    const next = await startModelStandIn()
    await set()
    const ask = await openChat()
    model.script({ text: ['The old ', 'model.'] })
    next.script({ text: ['The new model.'] })
    model.pause(1)
    const running = ask('Who answers?')
    await model.whenPaused()
    await set({ baseUrl: next.url })
    model.resume()
    expect((await running)?.content).toContain('The old model.')
    expect((await ask('And now?'))?.content).toContain('The new model.')
    await next.close()
  })

  it('masks the stored key in replies', async () => {
    await set()
    const ask = await openChat()
    model.script({ text: ['My key is ', key.slice(0, 9), `${key.slice(9)}.`] })
    expect((await ask('Which key do you use?'))?.content).toContain('My key is ••••••••.')
  })
})

describe('a model endpoint of the environment', () => {
  it.each([
    [{ OPENAI_API_KEY: key }, 'OPENAI_API_KEY'],
    [{ OPENAI_API_KEY: key, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, 'OPENAI_API_KEY and OPENAI_BASE_URL'],
  ])('cannot be changed (%j)', async (env, names) => {
    await restart(env)
    expect(await read()).toMatchObject({ source: 'environment', hasApiKey: true })
    const { status, body } = await set()
    expect([status, body.message]).toEqual([
      409,
      `Set by ${names} on the server, so it cannot be changed here.`,
    ])
  })

  it('sets the embedding model even for a stored endpoint', async () => {
    await restart({ EMBEDDING_MODEL: 'none' })
    await set({ embeddingModel: 'text-embedding-3-small' })
    expect(await read()).toMatchObject({
      source: 'stored',
      embeddingModel: '',
      variables: { embeddingModel: 'EMBEDDING_MODEL' },
    })
    expect(app.deps.assistant.embedder).toBeNull()
  })
})

describe('POST /settings/connections/model/check', () => {
  function check() {
    return app.call(connectionsApi.check, { as: admin, params: { part: 'model' } })
  }
  async function readHealth() {
    return (await app.call(connectionsApi.get, { as: admin })).body.health.model
  }
  async function readTrouble() {
    return (await app.call(assistantsApi.status, { as: admin })).body.trouble
  }

  it('tells whether the stored server answers, until the next change', async () => {
    expect([await readHealth(), await readTrouble()]).toEqual([
      undefined,
      { kind: 'off', words: 'No model is connected.' },
    ])
    await set()
    expect([await readHealth(), await readTrouble()]).toEqual(['untested', null])
    expect((await check()).body.ok).toBe(true)
    await expect.poll(readHealth).toBe('working')
    await set({ baseUrl: 'http://127.0.0.1:9/v1' })
    expect(await readHealth()).toBe('untested')
    expect((await check()).body.ok).toBe(false)
    await expect.poll(readHealth).toBe('failing')
    // It stays so until it answers, however long ago the last attempt was.
    app.advance(3_600_000)
    expect(await readHealth()).toBe('failing')
    expect(await readTrouble()).toEqual({
      kind: 'failing',
      words: 'No server answers at http://127.0.0.1:9/v1. Check the address and that the server is running.',
      failedAt: expect.any(String),
    })
  })
})

it('goes back to quoting passages when the endpoint is removed', async () => {
  await set()
  const { body } = await app.call(connectionsApi.remove, { as: admin, params: { part: 'model' } })
  expect(body.model).toMatchObject({ source: 'none', hasApiKey: false })
  expect(await readMode()).toBe('extractive')
})

describe('POST /settings/connections/model/test', () => {
  it('calls the models and the embedding model, and stores nothing', async () => {
    const { ok, words } = await tryModel({ embeddingModel: 'text-embedding-3-small' })
    expect([ok, words]).toEqual([
      true,
      [
        expect.stringMatching(/^local answered in [\d.]+ m?s\.$/),
        expect.stringMatching(/^text-embedding-3-small answered in/),
      ],
    ])
    expect([await readMode(), (await read()).source]).toEqual(['extractive', 'none'])
    const { modelMap } = (await app.call(assistantsApi.status, { as: admin })).body
    expect(modelMap).toEqual({})
  })

  it.each([
    [403, 'may not use this model'],
    [404, 'does not offer this model'],
    [400, 'refused the request'],
    [500, 'answered with an error (500).'],
  ])('explains status %i', async (status, reason) => {
    model.always({ fault: { kind: 'status', status, message: `Wrong key ${key}` } })
    const { ok, words, details } = await tryModel()
    expect([ok, words]).toEqual([false, [expect.stringContaining(reason)]])
    expect(details).toEqual([expect.stringContaining(`the provider answered ${status}`)])
    expect([...words, ...(details ?? [])].join()).not.toContain('sesame')
  })

  it('names the address once when the server refuses the API key', async () => {
    model.always({ fault: { kind: 'status', status: 401, message: `Wrong key ${key}` } })
    const { ok, words, details } = await tryModel({ model: '' })
    expect([ok, words]).toEqual([false, [`The server at ${model.url} refused the API key.`]])
    expect(details).toEqual([expect.stringMatching(/^gpt-4o, .+: the provider answered 401/)])
    expect(details?.join()).not.toContain('sesame')
  })

  it('names the address once when no server answers there, and the models in the details', async () => {
    const { ok, words, details } = await tryModel({
      baseUrl: 'http://127.0.0.1:9/v1',
      model: '',
      embeddingModel: 'text-embedding-3-small',
    })
    expect([ok, words]).toEqual([
      false,
      ['No server answers at http://127.0.0.1:9/v1. Check the address and that the server is running.'],
    ])
    expect(details).toEqual([
      expect.stringMatching(/^gpt-4o, .+, and text-embedding-3-small: the connection failed$/),
    ])
  })

  it('names the address once when the server offers none of the models', async () => {
    model.always({ fault: { kind: 'status', status: 404, message: 'Not found' } })
    const { words, details } = await tryModel({ model: '' })
    expect(words).toEqual([
      `The server at ${model.url} offers none of these models, or its address is wrong.`,
    ])
    expect(details).toEqual([expect.stringMatching(/^gpt-4o, .+: the provider answered 404/)])
  })

  it('explains that the server is a website, or does not speak HTTPS', async () => {
    model.always({ fault: { kind: 'body', contentType: 'text/html', body: '<p>Welcome</p>' } })
    expect((await tryModel()).words[0]).toContain('check its URL')
    expect((await tryModel({ baseUrl: model.url.replace('http:', 'https:') })).words[0]).toContain(
      'does not speak HTTPS',
    )
  })
})
