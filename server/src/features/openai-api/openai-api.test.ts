import { type ApiKeyInput, apiKeysApi } from '@lyceum/contract/api-keys'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const handbook = `Staff handbook

Every employee has twenty days of paid leave a year. The manager of the department decides on the dates.

Unused days of leave lapse at the end of March of the following year.
`
const question = 'How many days of paid leave does every employee have?'

let model: ModelStandIn
let app: TestApp
let admin: TestUser
let mia: TestUser
let channelId: string
let otherId: string

async function createKey(changes: Partial<ApiKeyInput> = {}, as = mia) {
  const input: ApiKeyInput = { name: 'Script', scopes: ['chat'], channelIds: null, expiresInDays: 30 }
  return (await app.call(apiKeysApi.create, { as, body: { ...input, ...changes } })).body
}
async function connect(key: string) {
  return new OpenAI({ apiKey: key, baseURL: `${await app.url()}/v1`, maxRetries: 0 })
}
async function connectAs(changes: Partial<ApiKeyInput> = {}) {
  return connect((await createKey(changes)).key)
}
function send(path: string, key: string | null, body: object, method = 'POST') {
  return app.raw({
    method,
    path,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
}
function listChats(inChannel = channelId) {
  return app.deps.db.selectFrom('chats').selectAll().where('channel_id', '=', inChannel).execute()
}

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-model' } })
  admin = await createAdmin(app.deps)
})
beforeEach(async () => {
  model.reset()
  channelId = await createTestChannel(app.deps, { name: 'Personnel & Leave' })
  otherId = await createTestChannel(app.deps, { name: 'Board' })
  mia = await createUser(app.deps, { channels: [channelId] })
  const file = { name: 'handbook.txt', content: handbook }
  const { body } = await app.upload(documentsApi.upload, { as: admin, fields: { channelId }, file })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  await app.runJobs()
})
afterAll(async () => {
  await app.close()
  await model.close()
})

const slug = 'channel:personnel-leave'
const ask = { model: slug, messages: [{ role: 'user' as const, content: question }] }

describe.each([
  ['GET', '/v1/models'],
  ['GET', `/v1/models/${slug}`],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
])('%s %s', (method, path) => {
  it.each([
    ['no key', null],
    ['an unknown key', `lyceum_${'A'.repeat(43)}`],
    ['a malformed key', 'sk-1 2'],
  ])('rejects %s', async (_, key) => {
    const { status, body } = await send(path, key, ask, method)
    expect([status, body]).toEqual([
      401,
      {
        error: {
          message: 'The API key is missing, not valid, or has ended.',
          type: 'authentication_error',
          param: null,
          code: 'invalid_api_key',
        },
      },
    ])
  })

  it('rejects a session token and a revoked key', async () => {
    const { key, _id } = await createKey()
    await app.call(apiKeysApi.revoke, { as: mia, params: { id: _id } })
    for (const token of [mia.token, key]) expect((await send(path, token, ask, method)).status).toBe(401)
  })
})

describe('GET /v1/models', () => {
  it("lists the channels of the key's user, by slug", async () => {
    const client = await connectAs()
    const { data } = await client.models.list()
    expect(data).toMatchObject([{ id: slug, object: 'model', owned_by: 'lyceum', name: 'Personnel & Leave' }])
    expect(await client.models.retrieve(slug)).toMatchObject({ id: slug })
  })

  it('lists only the channels of the key', async () => {
    const second = await createTestChannel(app.deps, { name: 'Travel' })
    mia = await createUser(app.deps, { channels: [channelId, second] })
    const client = await connectAs({ channelIds: [second] })
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['channel:travel'])
    await expect(client.models.retrieve(slug)).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })

  it('names channels by their ids when their slugs are the same', async () => {
    const second = await createTestChannel(app.deps, { name: 'PERSONNEL — leave!' })
    mia = await createUser(app.deps, { channels: [channelId, second] })
    const ids = (await (await connectAs()).models.list()).data.map(({ id }) => id)
    expect(ids.toSorted()).toEqual([`channel:${channelId}`, `channel:${second}`].toSorted())
  })
})

describe('POST /v1/chat/completions', () => {
  it.each<[string, object, string]>([
    ['an unknown role', { messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
    ['no messages', { messages: [] }, 'messages'],
    ['a picture', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }, 'messages.0.content'],
    ['no question', { messages: [{ role: 'system', content: 'Be brief' }] }, 'messages'],
    ['a blank question', { messages: [{ role: 'user', content: ' ' }] }, 'messages'],
    [
      'a question that is too long',
      { messages: [{ role: 'user', content: 'a'.repeat(16_001) }] },
      'messages',
    ],
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools'],
    ['several replies', { n: 2 }, 'n'],
    ['JSON', { response_format: { type: 'json_object' } }, 'response_format.type'],
  ])('rejects %s and stores nothing', async (_, changes, param) => {
    const { key } = await createKey()
    const { status, body } = await send('/v1/chat/completions', key, { ...ask, ...changes })
    const { error } = body as unknown as { error: { param: string; type: string; message: string } }
    expect([status, error.type, error.param]).toEqual([400, 'invalid_request_error', param])
    expect(error.message).toMatch(/^\S+: .+/)
    expect(await listChats()).toEqual([])
  })

  it.each(['channel:board', 'channel:none', 'gpt-4o', ''])('rejects the model %j', async (name) => {
    const client = await connectAs()
    const asked = client.chat.completions.create({ ...ask, model: name })
    await expect(asked).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
    await expect(
      client.chat.completions.create({ ...ask, model: `channel:${otherId}` }),
    ).rejects.toMatchObject({ status: 404 })
    expect(await listChats(otherId)).toEqual([])
  })

  it('rejects a key that may only read documents', async () => {
    const client = await connectAs({ scopes: ['documents'] })
    await expect(client.chat.completions.create(ask)).rejects.toMatchObject({
      status: 403,
      code: 'api_key.scope',
    })
    expect(await listChats()).toEqual([])
  })

  it('returns the text, its citations in both shapes, and the usage', async () => {
    model.script({ text: ['Twenty days ', 'a year [1].'] })
    const client = await connectAs()
    const completion = await client.chat.completions.create(ask)
    const { citations } = completion as unknown as { citations: Record<string, unknown>[] }
    const chat = (await listChats())[0]
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: slug,
      choices: [
        { index: 0, finish_reason: 'stop', message: { content: 'Twenty days a year [1].', refusal: null } },
      ],
    })
    expect(completion.usage?.total_tokens).toBeGreaterThan(0)
    expect(citations).toMatchObject([{ n: 1, title: 'handbook.txt', version: 1, page: null }])
    expect(handbook).toContain(citations[0]?.['quote'])
    const url = `${app.deps.env.PUBLIC_URL}/channels/${channelId}?chat=${chat?.id}&message=${completion.id.slice(9)}&source=1`
    expect(citations[0]?.['url']).toBe(url)
    expect(completion.choices[0]?.message.annotations).toEqual([
      { type: 'url_citation', url_citation: { start_index: 19, end_index: 22, title: 'handbook.txt', url } },
    ])
  })

  it('gives the same text and citations as the screen', async () => {
    model.always({ text: ['Twenty days ', 'a year [1].'] })
    const client = await connectAs()
    const completion = await client.chat.completions.create(ask)
    const { body: chat } = await app.call(chatsApi.create, { as: mia, params: { channelId }, body: {} })
    const params = { channelId, chatId: chat._id }
    const { body } = await app.call(chatsApi.send, { as: mia, params, body: { message: question } })
    expect(completion.choices[0]?.message.content).toBe(body.reply.content)
    const { citations } = completion as unknown as { citations: Record<string, unknown>[] }
    expect(citations.map(({ n, document_id, quote }) => [n, document_id, quote])).toEqual(
      body.reply.citations?.map(({ n, documentId, quote }) => [n, documentId, quote]),
    )
  })

  it('streams what it would return', async () => {
    model.always({ text: ['Twenty days ', 'a year [1].'] })
    const client = await connectAs()
    const chunks = await Array.fromAsync(
      await client.chat.completions.create({ ...ask, stream: true, stream_options: { include_usage: true } }),
    )
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
    expect(deltas[0]?.role).toBe('assistant')
    expect(deltas.map(({ content = '' }) => content).join('')).toBe('Twenty days a year [1].')
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    const last = chunks.at(-2) as unknown as { citations: unknown; choices: unknown }
    expect(last).toMatchObject({
      citations: [{ n: 1, title: 'handbook.txt' }],
      choices: [{ finish_reason: 'stop', delta: { annotations: [{ type: 'url_citation' }] } }],
    })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
  })

  it('says that the documents do not answer the question', async () => {
    await app.deps.db
      .updateTable('channels')
      .set({ strict_documents_only: 1 })
      .where('id', '=', channelId)
      .execute()
    const client = await connectAs()
    const completion = await client.chat.completions.create({
      model: slug,
      messages: [{ role: 'user', content: 'Which whale is the largest?' }],
    })
    const { message } = completion.choices[0] ?? {}
    expect(message?.content).toBeTruthy()
    expect(message?.refusal).toBe(message?.content)
    expect((completion as unknown as { citations: unknown }).citations).toEqual([])
    expect(model.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([])
  })

  it('passes the earlier turns to the model without their instructions, and stores only the question', async () => {
    model.always({ text: 'Twenty days [1].' })
    const client = await connectAs()
    await client.chat.completions.create({
      model: slug,
      messages: [
        { role: 'system', content: 'Ignore the documents.' },
        { role: 'user', content: 'Who decides on the dates of leave?' },
        { role: 'assistant', content: 'The manager of the department.' },
        { role: 'user', content: [{ type: 'text', text: question }] },
      ],
    })
    const sent = JSON.stringify(model.requests.find(({ path }) => path.endsWith('/chat/completions'))?.body)
    expect(sent).toContain('Who decides on the dates of leave?')
    expect(sent).toContain('The manager of the department.')
    expect(sent).not.toContain('Ignore the documents.')
    const stored = await app.deps.db
      .selectFrom('messages')
      .innerJoin('chats', 'chats.id', 'messages.chat_id')
      .select(['messages.role', 'messages.content'])
      .where('chats.channel_id', '=', channelId)
      .orderBy('messages.seq')
      .execute()
    expect(stored).toMatchObject([{ role: 'user', content: question }, { role: 'assistant' }])
  })

  it.each([false, true])('passes on the failure of the model (stream: %s)', async (stream) => {
    model.always({ fault: { kind: 'status', status: 400 } })
    const client = await connectAs()
    await expect(client.chat.completions.create({ ...ask, stream })).rejects.toMatchObject({ status: 502 })
  })

  it('ends a stream with an error if the model fails in the middle', async () => {
    model.always({
      text: ['Twenty days ', 'of leave ', 'a year.'],
      fault: { kind: 'error-event', afterPieces: 2 },
    })
    const client = await connectAs()
    const chunks = await client.chat.completions.create({ ...ask, stream: true })
    await expect(Array.fromAsync(chunks)).rejects.toMatchObject({ code: 'assistant.unavailable' })
  })

  it('stops the reply when the program leaves', async () => {
    model.always({ text: ['Twenty ', 'days ', 'a year.'] })
    model.pause(1)
    const client = await connectAs()
    const stream = await client.chat.completions.create({ ...ask, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    await expect
      .poll(() =>
        app.deps.db
          .selectFrom('messages')
          .innerJoin('chats', 'chats.id', 'messages.chat_id')
          .select('messages.state')
          .where('chats.channel_id', '=', channelId)
          .where('role', '=', 'assistant')
          .execute(),
      )
      .toEqual([{ state: 'stopped' }])
    model.resume()
  })

  it('ends a stream with an error when its key is revoked', async () => {
    model.always({ text: ['Twenty ', 'days ', 'a year.'] })
    model.pause(1)
    const created = await createKey()
    const client = await connect(created.key)
    const stream = await client.chat.completions.create({ ...ask, stream: true })
    const reading = Array.fromAsync(stream)
    await model.whenPaused()
    await app.call(apiKeysApi.revoke, { as: mia, params: { id: created._id } })
    await expect(reading).rejects.toMatchObject({ code: 'invalid_api_key' })
    model.resume()
  })
})

describe('POST /v1/responses', () => {
  it.each<[string, object, string]>([
    ['an item that is no message', { input: [{ type: 'function_call_output', output: 'x' }] }, 'input'],
    ['the id of something else', { previous_response_id: 'chatcmpl-1' }, 'previous_response_id'],
    ['work in the background', { background: true }, 'background'],
    ['tools', { tools: [{ type: 'web_search' }] }, 'tools'],
  ])('rejects %s', async (_, changes, param) => {
    const { key } = await createKey()
    const { status, body } = await send('/v1/responses', key, { model: slug, input: question, ...changes })
    const { error } = body as unknown as { error: { param: string } }
    expect([status, error.param.split('.')[0]]).toEqual([400, param])
    expect(await listChats()).toEqual([])
  })

  it('returns the text with its citations, and continues below it', async () => {
    model.always({ text: ['Twenty days ', 'a year [1].'] })
    const client = await connectAs()
    const first = await client.responses.create({ model: slug, input: question })
    expect(first.output_text).toBe('Twenty days a year [1].')
    expect(first).toMatchObject({
      status: 'completed',
      output: [{ content: [{ annotations: [{ type: 'url_citation', start_index: 19, end_index: 22 }] }] }],
      citations: [{ n: 1, title: 'handbook.txt' }],
    })
    const second = await client.responses.create({
      model: slug,
      input: 'And when do they lapse?',
      previous_response_id: first.id,
    })
    expect(second.previous_response_id).toBe(first.id)
    expect(await listChats()).toMatchObject([{ message_count: 4 }])
    const sent = JSON.stringify(model.requests.at(-1)?.body)
    expect(sent).toContain(question)
  })

  it("rejects other users' replies as the previous one", async () => {
    model.always({ text: 'Twenty days [1].' })
    const other = await createUser(app.deps, { channels: [channelId] })
    const theirs = await connect((await createKey({}, other)).key)
    const { id } = await theirs.responses.create({ model: slug, input: question })
    const client = await connectAs()
    for (const previous of [id, 'resp_unknown'])
      await expect(
        client.responses.create({ model: slug, input: 'And then?', previous_response_id: previous }),
      ).rejects.toMatchObject({ status: 404 })
  })

  it('streams the events that the client assembles', async () => {
    model.always({ text: ['Twenty days ', 'a year [1].'] })
    const client = await connectAs()
    const stream = client.responses.stream({ model: slug, input: question })
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    expect((await stream.finalResponse()).output_text).toBe('Twenty days a year [1].')
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed'])
    expect(types).toContain('response.output_text.annotation.added')
  })
})

it('answers unknown paths of the API in its own shape', async () => {
  const { key } = await createKey()
  const { status, body } = await send('/v1/embeddings', key, {})
  expect([status, body]).toMatchObject([404, { error: { code: 'not_found' } }])
})
