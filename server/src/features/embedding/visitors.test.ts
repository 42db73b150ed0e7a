import { addDays, analyticsApi, formatDay, startOfDay } from '@lyceum/contract/analytics'
import { auditApi } from '@lyceum/contract/audit'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { type EmbeddingInput, embeddingApi } from '@lyceum/contract/embedding'
import { quotasApi } from '@lyceum/contract/quotas'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createVisitor, embedChannel, testSite } from '#testing/embedding.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { arrivalsPerDay } from './visitors.ts'

const day = 24 * 3_600_000

let model: ModelStandIn
let app: TestApp
let system: TestUser
let channelId: string
beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
})
beforeEach(async () => {
  model.reset()
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  channelId = await createTestChannel(app.deps)
})
afterAll(async () => {
  await app.close()
  await model.close()
})

function allowVisitors(id = channelId, changes: Partial<EmbeddingInput> = {}) {
  return embedChannel(app, id, { allowsVisitors: true, ...changes })
}

function visit(id = channelId, site = testSite) {
  return app.call(embeddingApi.visit, { params: { channelId: id }, body: { site } })
}

async function countUsers(): Promise<number> {
  return (await app.deps.db.selectFrom('users').select('id').execute()).length
}

async function createChat(as: TestUser): Promise<string> {
  return (await app.call(chatsApi.create, { as, params: { channelId }, body: {} })).body._id
}

async function ask(as: TestUser, chatId: string, message = 'When do you open?') {
  return app.call(chatsApi.send, { as, params: { channelId, chatId }, body: { message } })
}

async function readLeft(as: TestUser) {
  return (await app.call(quotasApi.getRemaining, { as, params: { channelId } })).body.left
}

async function readMessagesToday(): Promise<number> {
  const { body } = await app.call(embeddingApi.get, { as: system, params: { id: channelId } })
  return body.visitorMessagesToday
}

describe('POST /embedded/:channelId/visitors', () => {
  it('refuses alike where a channel does not exist, is not embedded there, or takes no visitors', async () => {
    const unused = await createTestChannel(app.deps)
    const membersOnly = await createTestChannel(app.deps)
    await embedChannel(app, membersOnly)
    const archived = await createTestChannel(app.deps)
    await allowVisitors(archived)
    await app.call(channelsApi.archive, { as: system, params: { id: archived }, body: { isArchived: true } })
    await allowVisitors()
    const before = await countUsers()
    const refusals = await Promise.all([
      visit('none'),
      visit(unused),
      visit(membersOnly),
      visit(archived),
      visit(channelId, 'https://elsewhere.example.com'),
    ])
    const [first] = refusals
    expect(first).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const { status, body } of refusals) expect([status, body]).toEqual([404, first?.body])
    expect(await countUsers()).toBe(before)
  })

  it('takes no more visitors than allowed in a day', async () => {
    await allowVisitors()
    const row = { channel_id: channelId, visitor_id: '', day: formatDay(app.deps.now()), asked: 0 }
    await app.deps.db
      .insertInto('visitor_days')
      .values({ ...row, arrived: arrivalsPerDay - 2 })
      .execute()
    const before = await countUsers()
    const visits = await Promise.all([visit(), visit(), visit(), visit()])
    expect(visits.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429])
    const refused = visits.find(({ status }) => status === 429)
    expect(refused?.body.code).toBe('embedding.visitor_limit')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3600)
    expect(await countUsers()).toBe(before + 2)
  })

  it('limits visits from one network', async () => {
    const strict = await buildTestApp({ env: { RATE_LIMIT_SCALE: '1' } })
    const input = { params: { channelId: 'none' }, body: { site: testSite } }
    const statuses: number[] = []
    for (let at = 0; at < 61; at += 1) statuses.push((await strict.call(embeddingApi.visit, input)).status)
    const elsewhere = await strict.call(embeddingApi.visit, { ...input, ip: '192.0.2.7' })
    await strict.close()
    expect([...new Set(statuses.slice(0, 60))]).toEqual([404])
    expect([statuses.at(-1), elsewhere.status]).toEqual([429, 404])
  })

  it('signs a visitor in who can chat in this channel and has no address', async () => {
    await allowVisitors()
    const { body } = await visit()
    expect(body).toEqual({
      token: expect.stringMatching(/^lyceum_embed_/),
      expiresAt: expect.any(String),
      user: {
        _id: expect.any(String),
        name: expect.stringMatching(/^Visitor [BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        email: null,
      },
    })
    const visitor = { id: body.user._id, name: body.user.name, email: '', token: body.token }
    const channel = await app.call(channelsApi.get, { as: visitor, params: { id: channelId } })
    expect([channel.status, channel.body.users]).toEqual([
      200,
      [{ _id: visitor.id, name: visitor.name, email: '' }],
    ])
    expect((await ask(visitor, await createChat(visitor))).status).toBe(200)
    const other = await createTestChannel(app.deps)
    for (const id of [other, 'none'])
      expect((await app.call(channelsApi.get, { as: visitor, params: { id } })).status).toBe(403)
  })

  it('records the visit in the audit log, and stores nowhere else where it came from', async () => {
    await allowVisitors()
    const visitor = await createVisitor(app, channelId)
    const { body } = await app.call(auditApi.list, { as: system, query: { actorId: visitor.id } })
    expect(body.items).toMatchObject([
      {
        action: 'embedding.signed-in',
        actor: { _id: visitor.id, name: visitor.name, email: '' },
        object: { type: 'channel', _id: channelId },
        ip: '127.0.0.1',
        after: { site: testSite },
      },
    ])
    const signIn = await app.deps.db
      .selectFrom('embedded_sign_ins')
      .select(['ip', 'user_agent'])
      .where('user_id', '=', visitor.id)
      .executeTakeFirstOrThrow()
    expect(signIn).toEqual({ ip: '', user_agent: '' })
  })
})

describe('switching visitors off', () => {
  it('ends their sign-ins at once, keeps their chats, and leaves members signed in', async () => {
    await allowVisitors()
    const visitor = await createVisitor(app, channelId)
    const chatId = await createChat(visitor)
    const ada = await createUser(app.deps, { channels: [channelId] })
    const { body } = await app.call(embeddingApi.signIn, {
      as: ada,
      params: { channelId },
      body: { site: testSite },
    })
    await embedChannel(app, channelId)
    expect((await app.call(channelsApi.get, { as: visitor, params: { id: channelId } })).status).toBe(401)
    const member = { ...ada, token: body.token }
    expect((await app.call(channelsApi.get, { as: member, params: { id: channelId } })).status).toBe(200)
    const history = await app.call(chatHistoryApi.get, { as: system, params: { id: chatId } })
    expect(history.status).toBe(200)
  })
})

describe('the limits of visitors', () => {
  it('refuse what exceeds them, and say which limit it is and when it resets', async () => {
    await allowVisitors(channelId, { visitorMessagesPerDay: 2, channelVisitorMessagesPerDay: 3 })
    const one = await createVisitor(app, channelId)
    const chat = await createChat(one)
    expect(await readLeft(one)).toBeNull()
    const first = await ask(one, chat)
    expect(first.status).toBe(200)
    expect((await ask(one, chat)).status).toBe(200)
    expect(await readLeft(one)).toMatchObject({ kind: 'messages', whose: 'own', limit: 2, left: 0 })
    const messageId = first.body.reply._id
    const again = { as: one, params: { channelId, chatId: chat, messageId } }
    for (const refused of [await ask(one, chat), await app.call(chatsApi.regenerate, again)]) {
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        429,
        'quota.messages',
        'You have used all 2 messages for today. Your limit resets in 12 hours (midnight UTC).',
      ])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(11 * 3600)
    }
    const other = await createVisitor(app, channelId)
    const otherChat = await createChat(other)
    expect((await ask(other, otherChat)).status).toBe(200)
    expect(await readLeft(other)).toMatchObject({ kind: 'messages', whose: 'channel', limit: 3, left: 0 })
    const refused = await ask(other, otherChat)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      429,
      'quota.channel_messages',
      'The visitors of this chat have used all 3 messages for today. The limit resets in 12 hours (midnight UTC).',
    ])
    expect(await readMessagesToday()).toBe(3)
  })

  it('accept exactly as many concurrent messages as allowed', async () => {
    await allowVisitors(channelId, { visitorMessagesPerDay: 1, channelVisitorMessagesPerDay: 3 })
    const visitors: TestUser[] = []
    for (let at = 0; at < 5; at += 1) visitors.push(await createVisitor(app, channelId))
    const chats = await Promise.all(
      visitors.flatMap((as) => [as, as]).map(async (as) => ({ as, chatId: await createChat(as) })),
    )
    const responses = await Promise.all(chats.map(({ as, chatId }) => ask(as, chatId)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    for (const { status } of responses) expect([200, 429]).toContain(status)
    const stored = await app.deps.db
      .selectFrom('chats')
      .select('user_id')
      .where('channel_id', '=', channelId)
      .where('message_count', '>', 0)
      .execute()
    expect(new Set(stored.map(({ user_id }) => user_id)).size).toBe(3)
    expect(await readMessagesToday()).toBe(3)
  })

  it('do not concern members, whose general limits do not concern visitors', async () => {
    await allowVisitors(channelId, { channelVisitorMessagesPerDay: 1 })
    const ada = await createUser(app.deps, { channels: [channelId] })
    const adasChat = await createChat(ada)
    expect((await ask(ada, adasChat)).status).toBe(200)
    await app.call(quotasApi.update, { as: system, body: { messagesPerDay: 0, tokensPerMonth: 1 } })
    const visitor = await createVisitor(app, channelId)
    const chatId = await createChat(visitor)
    expect((await ask(ada, adasChat)).status).toBe(429)
    expect((await ask(visitor, chatId)).status).toBe(200)
    await app.deps.db.deleteFrom('quotas').execute()
    expect((await ask(ada, adasChat)).status).toBe(200)
    expect((await ask(visitor, chatId)).status).toBe(429)
  })

  it('apply beside those of the channel, and reset on the next day', async () => {
    await allowVisitors(channelId, { visitorMessagesPerDay: 2 })
    await app.call(quotasApi.setForChannel, {
      as: system,
      params: { id: channelId },
      body: { messagesPerDay: 1, tokensPerMonth: null },
    })
    const visitor = await createVisitor(app, channelId)
    const chatId = await createChat(visitor)
    expect((await ask(visitor, chatId)).status).toBe(200)
    expect((await ask(visitor, chatId)).body.code).toBe('quota.channel_messages')
    await app.deps.db.deleteFrom('quotas').execute()
    expect((await ask(visitor, chatId)).status).toBe(200)
    expect((await ask(visitor, chatId)).body.code).toBe('quota.messages')
    app.advance(day)
    expect((await ask(visitor, chatId)).status).toBe(200)
  })
})

describe('GET /embedded/:channelId while a limit is used up', () => {
  async function readUsedUp() {
    return (await app.call(embeddingApi.describe, { params: { channelId } })).body.usedUp
  }

  it('tells nothing where only members can chat', async () => {
    await allowVisitors(channelId, { channelVisitorMessagesPerDay: 1 })
    const visitor = await createVisitor(app, channelId)
    await ask(visitor, await createChat(visitor))
    expect(await readUsedUp()).toBeDefined()
    await embedChannel(app, channelId, { channelVisitorMessagesPerDay: 1 })
    expect(await readUsedUp()).toBeUndefined()
  })

  it('tells until when new visitors cannot ask, and uses up nothing itself', async () => {
    await allowVisitors(channelId, { visitorMessagesPerDay: 1, channelVisitorMessagesPerDay: 2 })
    const one = await createVisitor(app, channelId)
    await ask(one, await createChat(one))
    expect([await readUsedUp(), await readUsedUp()]).toEqual([undefined, undefined])
    const other = await createVisitor(app, channelId)
    const chatId = await createChat(other)
    expect((await ask(other, chatId)).status).toBe(200)
    const resetsAt = new Date(startOfDay(addDays(formatDay(app.deps.now()), 1))).toISOString()
    expect(await readUsedUp()).toEqual({ kind: 'messages', whose: 'channel', limit: 2, left: 0, resetsAt })
    expect(await readMessagesToday()).toBe(2)
    app.advance(day)
    expect(await readUsedUp()).toBeUndefined()
    expect((await ask(other, chatId)).status).toBe(200)
  })

  it('tells of the limits of the channel, and first of one that never resets', async () => {
    await allowVisitors(channelId, { channelVisitorMessagesPerDay: 1 })
    const visitor = await createVisitor(app, channelId)
    expect((await ask(visitor, await createChat(visitor))).status).toBe(200)
    const changes = { as: system, params: { id: channelId } }
    await app.call(quotasApi.setForChannel, {
      ...changes,
      body: { messagesPerDay: null, tokensPerMonth: 1 },
    })
    expect(await readUsedUp()).toMatchObject({ kind: 'tokens', whose: 'channel', limit: 1, left: 0 })
    await app.call(quotasApi.setForChannel, {
      ...changes,
      body: { messagesPerDay: 0, tokensPerMonth: 1 },
    })
    expect(await readUsedUp()).toMatchObject({ kind: 'messages', whose: 'channel', limit: 0, left: 0 })
  })
})

describe('what visitors write', () => {
  it('counts in the figures, but the visitor counts as no user', async () => {
    await allowVisitors()
    const ada = await createUser(app.deps, { channels: [channelId] })
    await ask(ada, await createChat(ada))
    const visitor = await createVisitor(app, channelId)
    await ask(visitor, await createChat(visitor))
    const today = formatDay(app.deps.now())
    const { body } = await app.call(analyticsApi.get, {
      as: system,
      query: { channelId, from: today, to: today },
    })
    expect(body.totals).toMatchObject({ messages: 2, replies: 2, people: 1 })
    const rows = await app.deps.db
      .selectFrom('usage_people')
      .select('user_id')
      .where('user_id', '=', visitor.id)
      .execute()
    expect(rows).toEqual([])
  })

  it('is in the chat history, found by the visitor’s name, and exported without an address', async () => {
    await allowVisitors()
    const visitor = await createVisitor(app, channelId)
    const chatId = await createChat(visitor)
    await ask(visitor, chatId, 'Where is the heliograph?')
    await app.deps.messageSearch.waitUntilIndexed()
    const user = { _id: visitor.id, name: visitor.name, email: '' }
    async function list(query: { search?: string; userId?: string }) {
      const { body } = await app.call(chatHistoryApi.list, { as: system, query: { channelId, ...query } })
      return body.chatHistories.map((item) => [item._id, item.user])
    }
    for (const query of [
      {},
      { userId: visitor.id },
      { search: 'heliograph' },
      { search: visitor.name },
      { search: ` ${visitor.name.toLowerCase()} ` },
    ])
      expect(await list(query)).toEqual([[chatId, user]])
    for (const search of ['invalid', 'visitor', `${visitor.name.slice(0, -1)}Y`])
      expect(await list({ search })).toEqual([])
    const detail = await app.call(chatHistoryApi.get, { as: system, params: { id: chatId } })
    expect([detail.status, detail.body.user]).toEqual([200, user])
    const summaries = await app.call(chatHistoryApi.userSummaries, { as: system })
    expect(summaries.body.items.find((item) => item.user._id === visitor.id)?.user).toEqual(user)
    for (const format of ['csv', 'jsonl'] as const) {
      const { bytes } = await app.call(chatHistoryApi.export, {
        as: system,
        query: { channelId, format },
      })
      expect(bytes.toString('utf8')).toContain(visitor.name)
      expect(bytes.toString('utf8')).not.toContain('visitors.invalid')
    }
  })

  it('is on the list of unanswered questions, as everyone’s', async () => {
    const strict = await createTestChannel(app.deps, { strictDocumentsOnly: true })
    channelId = strict
    await allowVisitors()
    const visitor = await createVisitor(app, channelId)
    await ask(visitor, await createChat(visitor), 'Who built the tower?')
    const { body } = await app.call(analyticsApi.questions, { as: system, query: { channelId } })
    expect(body.items).toMatchObject([{ text: 'Who built the tower?' }])
  })
})
