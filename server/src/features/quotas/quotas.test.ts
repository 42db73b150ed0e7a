import { formatDay } from '@lyceum/contract/analytics'
import { auditApi } from '@lyceum/contract/audit'
import { chatsApi } from '@lyceum/contract/chats'
import { type Quota, quotasApi } from '@lyceum/contract/quotas'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const day = 86_400_000

let model: ModelStandIn
let app: TestApp
let system: TestUser
let admin: TestUser
let channelId: string
let ada: TestUser

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  system = await createAdmin(app.deps, { isSystemAdmin: true })
})
beforeEach(async () => {
  model.reset()
  // Sessions expire when tests move the clock, so each test creates its own users.
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
  ada = await createUser(app.deps, { channels: [channelId] })
  await app.deps.db.deleteFrom('quotas').execute()
})
afterAll(async () => {
  await app.close()
  await model.close()
})

const noLimits = { messagesPerDay: null, tokensPerMonth: null }

async function createChat(as = ada): Promise<string> {
  return (await app.call(chatsApi.create, { as, params: { channelId }, body: {} })).body._id
}

async function ask(chatId: string, as = ada, message = 'Hello') {
  return app.call(chatsApi.send, { as, params: { channelId, chatId }, body: { message } })
}

function limitEveryone(quota: Partial<Quota>) {
  return app.call(quotasApi.update, { as: admin, body: { ...noLimits, ...quota } })
}
function limitUser(user: TestUser, quota: Partial<Quota>, as = admin) {
  return app.call(quotasApi.setForUser, { as, params: { id: user.id }, body: { ...noLimits, ...quota } })
}
function limitChannel(quota: Partial<Quota>) {
  return app.call(quotasApi.setForChannel, {
    as: admin,
    params: { id: channelId },
    body: { ...noLimits, ...quota },
  })
}

async function readLeft(as = ada) {
  return (await app.call(quotasApi.getRemaining, { as, params: { channelId } })).body.left
}

function countMessages() {
  return app.deps.db
    .selectFrom('messages')
    .innerJoin('chats', 'chats.id', 'messages.chat_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('chats.channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
}

/** Moves the clock to 03:00 UTC on the next day, so that the test does not cross midnight by chance. */
async function moveToMorning(): Promise<void> {
  app.advance(day - (app.deps.now() % day) + 3 * 3_600_000)
  admin = await createAdmin(app.deps)
  ada = await createUser(app.deps, { channels: [channelId] })
}

describe('setting limits', () => {
  it('rejects callers without the permission', async () => {
    function createAdminWithout(permission: string) {
      return createAdmin(app.deps, { permissions: { [permission]: false } })
    }
    const body = { messagesPerDay: 1, tokensPerMonth: null }
    const params = { id: ada.id }
    const responses = [
      await app.call(quotasApi.update, { as: await createAdminWithout('canManageSettings'), body }),
      await app.call(quotasApi.setForUser, { as: await createAdminWithout('canManageUsers'), params, body }),
      await app.call(quotasApi.setForUser, { as: await createAdminWithout('canEditUsers'), params, body }),
      await app.call(quotasApi.resetForUser, { as: await createAdminWithout('canEditUsers'), params }),
      await app.call(quotasApi.setForChannel, {
        as: await createAdminWithout('canEditChannels'),
        params: { id: channelId },
        body,
      }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await limitUser(system, { messagesPerDay: 1 })).body.code).toBe('user.system_admin_only')
    expect(await app.deps.db.selectFrom('quotas').selectAll().execute()).toEqual([])
  })

  it.each([-1, 1.5, '5', Number.MAX_SAFE_INTEGER])(
    'rejects a limit of %j messages',
    async (messagesPerDay) => {
      const body = { messagesPerDay: messagesPerDay as number, tokensPerMonth: null }
      const { status, body: refusal } = await app.call(quotasApi.update, { as: admin, body })
      expect([status, refusal.code]).toEqual([400, 'validation.failed'])
      expect((await app.call(quotasApi.get, { as: admin })).body).toEqual(noLimits)
    },
  )

  it('returns 404 for unknown users and channels', async () => {
    const params = { id: 'nobody' }
    expect((await app.call(quotasApi.setForUser, { as: admin, params, body: noLimits })).status).toBe(404)
    expect((await app.call(quotasApi.setForChannel, { as: admin, params, body: noLimits })).status).toBe(404)
    expect((await app.call(quotasApi.getRemaining, { as: admin, params: { channelId } })).status).toBe(404)
  })

  it('records the previous and the new limits in the audit log', async () => {
    await limitUser(ada, { messagesPerDay: 5 })
    await limitUser(ada, { messagesPerDay: 7 })
    await app.call(quotasApi.resetForUser, { as: admin, params: { id: ada.id } })
    const { body } = await app.call(auditApi.list, { as: system, query: { objectId: ada.id } })
    expect(body.items.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['quota.changed', { messagesPerDay: 7, tokensPerMonth: null }, {}],
      [
        'quota.changed',
        { messagesPerDay: 5, tokensPerMonth: null },
        { messagesPerDay: 7, tokensPerMonth: null },
      ],
      ['quota.changed', {}, { messagesPerDay: 5, tokensPerMonth: null }],
    ])
  })
})

describe('the daily message limit', () => {
  it('rejects further messages, says when the limit resets, and stores nothing', async () => {
    await moveToMorning()
    await limitEveryone({ messagesPerDay: 2 })
    const chatId = await createChat()
    const first = (await ask(chatId)).body
    expect((await ask(chatId)).status).toBe(200)
    const before = await countMessages()
    const { status, headers, body } = await ask(chatId)
    expect([status, body.code, body.message]).toEqual([
      429,
      'quota.messages',
      'You have used all 2 messages for today. Your limit resets in 21 hours (midnight UTC).',
    ])
    expect(Number(headers['retry-after'])).toBeGreaterThan(20 * 3600)
    // Edits and regenerated replies count like messages.
    const params = { channelId, chatId, messageId: first.reply._id }
    const message = { ...params, messageId: first.message?._id ?? '' }
    for (const refused of [
      await app.call(chatsApi.regenerate, { as: ada, params }),
      await app.call(chatsApi.edit, { as: ada, params: message, body: { message: 'Again' } }),
    ])
      expect([refused.status, refused.body.code]).toEqual([429, 'quota.messages'])
    expect(await countMessages()).toEqual(before)
    expect((await app.call(quotasApi.getForUser, { as: admin, params: { id: ada.id } })).body).toEqual({
      own: null,
      everybody: { messagesPerDay: 2, tokensPerMonth: null },
      used: { messagesToday: 2, tokensThisMonth: expect.any(Number) },
    })
  })

  it('resets on the next day', async () => {
    await moveToMorning()
    await limitEveryone({ messagesPerDay: 1 })
    // Sessions end after four idle hours, so begin shortly before midnight.
    app.advance(20 * 3_600_000 + 30 * 60_000)
    const eve = await createUser(app.deps, { channels: [channelId] })
    const chatId = await createChat(eve)
    expect((await ask(chatId, eve)).status).toBe(200)
    expect((await ask(chatId, eve)).status).toBe(429)
    app.advance(3_600_000)
    expect((await ask(chatId, eve)).status).toBe(200)
  })

  it('accepts exactly as many concurrent messages as allowed', async () => {
    await moveToMorning()
    await limitUser(ada, { messagesPerDay: 2 })
    await limitChannel({ messagesPerDay: 3 })
    const others = await Promise.all(
      Array.from({ length: 4 }, () => createUser(app.deps, { channels: [channelId] })),
    )
    const chats = await Promise.all(
      [...others, ada, ada].map(async (as) => ({ as, chatId: await createChat(as) })),
    )
    const responses = await Promise.all(chats.map(({ as, chatId }) => ask(chatId, as)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    for (const { status, body } of responses)
      if (status !== 200) expect([status, body.code]).toEqual([429, 'quota.channel_messages'])
    expect(
      (await app.call(quotasApi.getForChannel, { as: admin, params: { id: channelId } })).body.used
        .messagesToday,
    ).toBe(3)
  })

  it('accepts exactly as many concurrent messages as allowed in a channel whose counts are divided', async () => {
    await moveToMorning()
    const counts = { channel_id: channelId, day: formatDay(app.deps.now()), model: '' }
    await app.deps.db
      .insertInto('usage_days')
      .values([
        { ...counts, slot: 0, asked: 1000 },
        { ...counts, slot: 7, asked: 20 },
      ])
      .execute()
    await limitChannel({ messagesPerDay: 1022 })
    const users = await Promise.all(
      Array.from({ length: 5 }, () => createUser(app.deps, { channels: [channelId] })),
    )
    const chats = await Promise.all(users.map(async (as) => ({ as, chatId: await createChat(as) })))
    const responses = await Promise.all(chats.map(({ as, chatId }) => ask(chatId, as)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429])
    const { body } = await app.call(quotasApi.getForChannel, { as: admin, params: { id: channelId } })
    expect(body.used.messagesToday).toBe(1022)
  })

  it('applies to all chats of a user together', async () => {
    await moveToMorning()
    await limitUser(ada, { messagesPerDay: 1 })
    const chats = await Promise.all([createChat(), createChat(), createChat()])
    const responses = await Promise.all(chats.map((chatId) => ask(chatId)))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
  })

  it('is replaced by the user’s own limit, and allows no messages at 0', async () => {
    await limitEveryone({ messagesPerDay: 0 })
    const chatId = await createChat()
    const refused = await ask(chatId)
    expect([refused.status, refused.body.message]).toEqual([429, 'You cannot send messages right now.'])
    expect(refused.headers['retry-after']).toBeUndefined()
    await limitUser(ada, {})
    expect((await ask(chatId)).status).toBe(200)
    await app.call(quotasApi.resetForUser, { as: admin, params: { id: ada.id } })
    expect((await ask(chatId)).status).toBe(429)
  })

  it('does not count a request repeated with its idempotency key', async () => {
    await moveToMorning()
    await limitUser(ada, { messagesPerDay: 1 })
    const chatId = await createChat()
    function send() {
      return app.call(chatsApi.send, {
        as: ada,
        params: { channelId, chatId },
        body: { message: 'Hello' },
        headers: { 'idempotency-key': 'the-same-key' },
      })
    }
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.reply._id).toBe(first.body.reply._id)
  })
})

describe('the monthly token limit', () => {
  it('completes the reply that exceeds the limit, rejects the next, and resets monthly', async () => {
    await limitUser(ada, { tokensPerMonth: 10 })
    const chatId = await createChat()
    expect((await ask(chatId)).status).toBe(200)
    const { status, body } = await ask(chatId)
    expect([status, body.code]).toEqual([429, 'quota.tokens'])
    expect(body.message).toMatch(
      /^You have used all 10 tokens for this month\. Your limit resets in .* \(end of the month, UTC\)\.$/,
    )
    const now = new Date(app.deps.now())
    app.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime() + 60_000)
    const used = await app.call(quotasApi.getForUser, {
      as: await createAdmin(app.deps),
      params: { id: ada.id },
    })
    expect(used.body.used).toEqual({ messagesToday: 0, tokensThisMonth: 0 })
  })

  it('adds up the tokens of all members of a channel', async () => {
    await limitChannel({ tokensPerMonth: 10 })
    expect((await ask(await createChat())).status).toBe(200)
    const bela = await createUser(app.deps, { channels: [channelId] })
    const { status, body } = await ask(await createChat(bela), bela)
    expect([status, body.code]).toEqual([429, 'quota.channel_tokens'])
  })
})

describe('the remaining limit', () => {
  it('is returned once it is low, and only to members', async () => {
    await moveToMorning()
    const stranger = await createUser(app.deps)
    expect((await app.call(quotasApi.getRemaining, { as: stranger, params: { channelId } })).status).toBe(404)
    expect(await readLeft()).toBeNull()
    await limitUser(ada, { messagesPerDay: 10 })
    const chatId = await createChat()
    for (let sent = 0; sent < 8; sent += 1) await ask(chatId)
    expect(await readLeft()).toBeNull()
    await ask(chatId)
    expect(await readLeft()).toMatchObject({ kind: 'messages', whose: 'own', left: 1, limit: 10 })
    await limitChannel({ messagesPerDay: 9 })
    expect(await readLeft()).toMatchObject({ kind: 'messages', whose: 'channel', left: 0, limit: 9 })
  })

  it('is returned before the last message, however small the limit', async () => {
    await moveToMorning()
    await limitUser(ada, { messagesPerDay: 3 })
    const chatId = await createChat()
    await ask(chatId)
    expect(await readLeft()).toBeNull()
    await ask(chatId)
    expect(await readLeft()).toMatchObject({ kind: 'messages', whose: 'own', left: 1, limit: 3 })
  })
})

describe('deleting a user or channel', () => {
  it('removes their limits', async () => {
    await limitUser(ada, { messagesPerDay: 1 })
    await limitChannel({ messagesPerDay: 1 })
    await app.deps.db.deleteFrom('users').where('id', '=', ada.id).execute()
    await app.deps.db.deleteFrom('channels').where('id', '=', channelId).execute()
    expect(await app.deps.db.selectFrom('quotas').selectAll().execute()).toEqual([])
  })
})
