import { chatsApi } from '@lyceum/contract/chats'
import type { EndpointShape } from '@lyceum/contract/endpoint'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let channelId: string
let ada: TestUser

beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  channelId = await createTestChannel(app.deps)
  ada = await createUser(app.deps, { channels: [channelId] })
})
afterAll(() => app.close())

async function createChat(as = ada): Promise<string> {
  const { status, body } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
  expect(status).toBe(200)
  return body._id
}

async function send(chatId: string, message: string, as = ada) {
  const { status, body } = await app.call(chatsApi.send, {
    as,
    params: { channelId, chatId },
    body: { message },
  })
  expect(status).toBe(200)
  return body
}

async function getConversation(chatId: string, query: { limit?: number; before?: string } = {}) {
  return (await app.call(chatsApi.get, { as: ada, params: { channelId, chatId }, query })).body
}

async function listChats(query: { limit?: number; skip?: number } = {}) {
  return (await app.call(chatsApi.list, { as: ada, params: { channelId }, query })).body
}

const bodies: Partial<Record<keyof typeof chatsApi, unknown>> = {
  create: {},
  send: { message: 'Hello' },
  edit: { message: 'Hello' },
  rename: { title: 'Mine' },
  pin: { isPinned: true },
  rate: { rating: 'good' },
}
const endpoints = [
  'list',
  'create',
  'get',
  'send',
  'events',
  'stop',
  'regenerate',
  'continue',
  'showVersion',
  'rate',
  'export',
  'edit',
  'rename',
  'pin',
  'remove',
] as const
const chatEndpoints = endpoints.filter((name) => name !== 'list' && name !== 'create')

describe.each(endpoints)('%s', (name) => {
  const endpoint: EndpointShape = chatsApi[name]
  function request(as: TestUser | null, params: Record<string, string>) {
    const body = bodies[name]
    return app.raw({
      method: endpoint.method,
      path: buildPath(endpoint, params),
      as,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  it('rejects requests without a session', async () => {
    const params = { channelId, chatId: await createChat(), messageId: 'm' }
    expect((await request(null, params)).status).toBe(401)
  })

  it('returns 404 to non-members, including administrators', async () => {
    const chatId = await createChat()
    const { message, reply } = await send(chatId, 'Hello')
    const outsider = await createUser(app.deps)
    const admin = await createAdmin(app.deps, { isSystemAdmin: true })
    for (const as of [outsider, admin])
      for (const messageId of [message?._id ?? '', reply._id]) {
        const { status, body } = await request(as, { channelId, chatId, messageId })
        expect([status, body]).toEqual([
          404,
          { code: 'not_found', message: 'Not found. It may have been deleted, or you do not have access.' },
        ])
      }
    expect((await getConversation(chatId)).total).toBe(2)
  })

  it('returns 404 for an unknown channel', async () => {
    for (const unknown of ['nowhere', uuidv7(), "'; drop table chats; --"])
      expect((await request(ada, { channelId: unknown, chatId: 'c', messageId: 'm' })).status).toBe(404)
  })
})

describe.each(chatEndpoints)('%s', (name) => {
  const endpoint: EndpointShape = chatsApi[name]
  function request(as: TestUser, params: Record<string, string>) {
    const body = bodies[name]
    return app.raw({
      method: endpoint.method,
      path: buildPath(endpoint, params),
      as,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  it('returns 404 for another user’s chat, through another channel, and after leaving the channel', async () => {
    const chatId = await createChat()
    const { reply } = await send(chatId, 'Hello')
    const other = await createTestChannel(app.deps)
    const bob = await createUser(app.deps, { channels: [channelId, other] })
    await app.deps.db
      .insertInto('channel_members')
      .values({ channel_id: other, user_id: ada.id, is_admin: 0, created_at: 0 })
      .execute()
    const messageId = reply._id
    expect((await request(bob, { channelId, chatId, messageId })).status).toBe(404)
    expect((await request(ada, { channelId: other, chatId, messageId })).status).toBe(404)
    await app.deps.db.deleteFrom('channel_members').where('channel_id', '=', channelId).execute()
    expect((await request(ada, { channelId, chatId, messageId })).status).toBe(404)
  })
})

describe.each(['events', 'stop', 'regenerate', 'edit'] as const)('%s', (name) => {
  it('returns 404 for a message of another chat', async () => {
    const chatId = await createChat()
    const { message, reply } = await send(await createChat(), 'Hello')
    const endpoint: EndpointShape = chatsApi[name]
    for (const messageId of [message?._id ?? '', reply._id, 'unknown']) {
      const { status } = await app.raw({
        method: endpoint.method,
        path: buildPath(endpoint, { channelId, chatId, messageId }),
        as: ada,
        ...(name === 'edit'
          ? { headers: { 'content-type': 'application/json' }, body: '{"message":"Hello"}' }
          : {}),
      })
      expect(status).toBe(404)
    }
  })
})

describe('GET /chat/:channelId/chats', () => {
  it('lists the user’s own chats, latest first, each with a preview of its last message', async () => {
    const first = await createChat()
    app.advance(1000)
    const second = await createChat()
    await createChat(await createUser(app.deps, { channels: [channelId] }))
    app.advance(1000)
    const { reply } = await send(first, `  What is\n\n${'very '.repeat(100)}long?`)
    const { chats, total, totalPages } = await listChats()
    expect([chats.map(({ _id }) => _id), total, totalPages]).toEqual([[first, second], 2, 1])
    expect(chats[0]?.messages).toEqual([
      {
        role: 'assistant',
        content: reply.content.replace(/\s+/g, ' ').slice(0, 200),
        timestamp: expect.any(String),
      },
    ])
    expect(chats[0]?.messageCount).toBe(2)
    expect(chats[1]?.messages).toEqual([])
  })

  it('returns one page and the totals', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at += 1) {
      ids.unshift(await createChat())
      app.advance(1000)
    }
    const page = await listChats({ limit: 2, skip: 2 })
    expect([page.chats.map(({ _id }) => _id), page.total, page.totalPages]).toEqual([ids.slice(2, 4), 5, 3])
  })
})

describe('GET /chat/:channelId/chats/:chatId', () => {
  it('returns the latest messages and pages back to the first', async () => {
    const chatId = await createChat()
    for (const number of [1, 2, 3, 4]) await send(chatId, `Question ${number}`)
    const seen: string[] = []
    let before: string | null | undefined
    for (let pages = 0; before !== null; pages += 1) {
      const page = await getConversation(chatId, { limit: 3, ...(before ? { before } : {}) })
      expect([page.total, pages < 3]).toEqual([8, true])
      seen.unshift(...page.messages.filter(({ role }) => role === 'user').map(({ content }) => content))
      before = page.before
    }
    expect(seen).toEqual(['Question 1', 'Question 2', 'Question 3', 'Question 4'])
  })

  it('returns an empty chat and rejects a cursor from another chat', async () => {
    const chatId = await createChat()
    expect(await getConversation(chatId)).toEqual({
      chatId,
      title: null,
      messages: [],
      before: null,
      total: 0,
    })
    const { reply } = await send(await createChat(), 'Hello')
    const refused = await app.call(chatsApi.get, {
      as: ada,
      params: { channelId, chatId },
      query: { before: reply._id },
    })
    expect(refused.status).toBe(404)
  })
})

describe('PUT /chat/:channelId/chats/:chatId', () => {
  it('rejects blank and overlong titles', async () => {
    const chatId = await createChat()
    for (const title of ['', '   ', 'x'.repeat(121)]) {
      const { status } = await app.call(chatsApi.rename, {
        as: ada,
        params: { channelId, chatId },
        body: { title },
      })
      expect(status).toBe(400)
    }
  })

  it('shows a preview that an earlier version stored as plain text', async () => {
    const chatId = await createChat()
    await app.deps.db
      .updateTable('chats')
      .set({ last_message_role: 'assistant', last_message_preview: '**Yes**, $x^2$ [1].' })
      .where('id', '=', chatId)
      .execute()
    expect((await listChats()).chats[0]?.messages).toMatchObject([{ content: 'Yes, x².' }])
  })

  it('renames the chat', async () => {
    const chatId = await createChat()
    const { body } = await app.call(chatsApi.rename, {
      as: ada,
      params: { channelId, chatId },
      body: { title: ' Leave in Norway ' },
    })
    expect(body.title).toBe('Leave in Norway')
    expect((await getConversation(chatId)).title).toBe('Leave in Norway')
  })
})

describe('DELETE /chat/:channelId/chats/:chatId', () => {
  it('deletes the chat with its messages and nothing else', async () => {
    const chatId = await createChat()
    await send(chatId, 'Hello')
    const kept = await createChat()
    await send(kept, 'Hello')
    const { body } = await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })
    expect(body.message).toBe('Chat deleted successfully')
    expect((await listChats()).chats.map(({ _id }) => _id)).toEqual([kept])
    const remaining = await app.deps.db
      .selectFrom('messages')
      .select('chat_id')
      .where('chat_id', 'in', [chatId, kept])
      .execute()
    expect(remaining).toEqual([{ chat_id: kept }, { chat_id: kept }])
    expect((await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })).status).toBe(404)
  })
})
