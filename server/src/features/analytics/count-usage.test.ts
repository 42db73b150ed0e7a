import { analyticsApi, formatDay } from '@lyceum/contract/analytics'
import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { interruptLostReplies } from '../chats/replies/reply-manager.ts'
import { countReplies, countRequest } from './count-usage.ts'

let model: ModelStandIn
let app: TestApp
beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

/** A seeded generator, so that every run is the same. */
function createRandom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Chat {
  as: TestUser
  params: { channelId: string; chatId: string }
  replies: string[]
}

async function createChat(as: TestUser, channelId: string): Promise<Chat> {
  const { body } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
  return { as, params: { channelId, chatId: body._id }, replies: [] }
}

/** Performs one random action on a chat. */
async function performRandomAction(
  { as, params, replies }: Chat,
  random: (below: number) => number,
): Promise<void> {
  const earlier = replies[random(replies.length || 1)]
  const action = earlier === undefined ? 0 : random(8)
  if (action === 1) model.script({ fault: { kind: 'status', status: 500 } })
  if (action === 2) model.script({ text: 'Words without any usage.', usage: false })
  if (action === 3) model.script({ fault: { kind: 'drop', afterBytes: 600 } })
  if (action < 4) {
    await app.call(chatsApi.send, { as, params, body: { message: `Question ${random(1000)}` } })
    const { messages } = (await app.call(chatsApi.get, { as, params })).body
    const last = messages.at(-1)
    if (last?.role === 'assistant') replies.push(last._id)
    return
  }
  const messageParams = { ...params, messageId: earlier ?? '' }
  if (action < 6) {
    await app.call(chatsApi.regenerate, { as, params: messageParams })
    return
  }
  const rating = ([null, 'good', 'bad'] as const)[random(3)] ?? null
  await app.call(chatsApi.rate, { as, params: messageParams, body: { rating, reason: null, comment: '' } })
}

const figureNames = [
  'messages',
  'replies',
  'refusals',
  'failures',
  'good',
  'bad',
  'inputTokens',
  'outputTokens',
] as const
type Sums = Record<(typeof figureNames)[number] | 'people', number>

/** Recomputes the expected figures of each day from the messages. */
async function recomputeFigures(channelId: string | undefined): Promise<Map<string, Sums>> {
  const { db } = app.deps
  const rows = await db
    .selectFrom('messages')
    .innerJoin('chats', 'chats.id', 'messages.chat_id')
    .leftJoin('message_feedback', 'message_feedback.message_id', 'messages.id')
    .selectAll('messages')
    .select(['chats.user_id', 'chats.channel_id', 'message_feedback.rating'])
    .execute()
  const usage = await db.selectFrom('llm_usage').selectAll().execute()
  const ofChannel = rows.filter((row) => channelId === undefined || row.channel_id === channelId)
  const days = new Map<string, Sums>()
  for (const [day, ofDay] of Map.groupBy(ofChannel, ({ created_at }) => formatDay(created_at))) {
    const replies = ofDay.filter(({ role }) => role === 'assistant')
    const ids = new Set(replies.map(({ id }) => id))
    const tokenUsage = usage.filter(({ message_id }) => message_id !== null && ids.has(message_id))
    days.set(day, {
      messages: ofDay.filter(({ role }) => role === 'user').length,
      people: new Set(ofDay.map(({ user_id }) => user_id)).size,
      replies: replies.length,
      refusals: replies.filter(({ mode }) => mode === 'refusal').length,
      failures: replies.filter(({ state }) => state === 'failed' || state === 'interrupted').length,
      good: replies.filter(({ rating }) => rating === 'good').length,
      bad: replies.filter(({ rating }) => rating === 'bad').length,
      inputTokens: tokenUsage.reduce((sum, { input }) => sum + input, 0),
      outputTokens: tokenUsage.reduce((sum, { output }) => sum + output, 0),
    })
  }
  return days
}

async function readFigures(channelId: string | undefined): Promise<Map<string, Sums>> {
  const as = await createAdmin(app.deps)
  const query = channelId === undefined ? {} : { channelId }
  const { days } = (await app.call(analyticsApi.get, { as, query })).body
  return new Map(
    days
      .filter(({ messages, replies }) => messages + replies > 0)
      .map((row) => [
        row.day,
        Object.fromEntries([...figureNames, 'people' as const].map((name) => [name, row[name]])) as Sums,
      ]),
  )
}

describe('daily usage counts', () => {
  it.each([11, 47])('match a recount of the messages (seed %i)', async (seed) => {
    const random = createRandom(seed)
    const channels = [await createTestChannel(app.deps), await createTestChannel(app.deps)]
    for (let day = 0; day < 3; day += 1) {
      app.advance(86_400_000)
      const users = await Promise.all([0, 1].map(() => createUser(app.deps, { channels })))
      const chats = await Promise.all(
        users.flatMap((user) => channels.map((channelId) => createChat(user, channelId))),
      )
      for (let step = 0; step < 8; step += 1)
        await Promise.all(chats.map((chat) => performRandomAction(chat, random)))
    }
    const all = [...(await readFigures(undefined)).values()]
    for (const name of ['messages', 'failures', 'good', 'bad', 'outputTokens'] as const)
      expect(all.some((sums) => sums[name] > 0)).toBe(true)
    for (const channelId of [undefined, ...channels])
      expect(await readFigures(channelId)).toEqual(await recomputeFigures(channelId))
  })

  it('include the replies of a crashed process exactly once', async () => {
    const channelId = await createTestChannel(app.deps)
    const ada = await createUser(app.deps, { channels: [channelId] })
    const { params } = await createChat(ada, channelId)
    const sent = await app.call(chatsApi.send, { as: ada, params, body: { message: 'Hello' } })
    const row = await app.deps.db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', sent.body.reply._id)
      .executeTakeFirstOrThrow()
    const { seq: _, ...copied } = row
    await app.deps.db
      .insertInto('messages')
      .values({ ...copied, id: 'lost', state: 'streaming', lease_owner: 'gone', lease_until: 1 })
      .execute()
    for (let time = 0; time < 2; time += 1) await interruptLostReplies(app.deps)
    const figures = (await readFigures(channelId)).get(formatDay(row.created_at))
    expect([figures?.messages, figures?.replies, figures?.failures]).toEqual([1, 2, 1])
  })
})

/** Makes the first slots of today's rows as full as after a thousand requests. */
async function makeBusy(channelId: string, documentId: string): Promise<void> {
  const day = formatDay(app.deps.now())
  const { db } = app.deps
  const busyRows = ['', channelId].map((channel_id) => ({
    channel_id,
    day,
    model: '',
    asked: 1000,
    messages: 1000,
  }))
  await db
    .insertInto('usage_days')
    .values(busyRows)
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'day', 'model', 'slot']).doUpdateSet({ asked: 1000 }),
    )
    .execute()
  await db
    .insertInto('citation_days')
    .values({ channel_id: channelId, document_id: documentId, day, citations: 1000 })
    .execute()
}

describe('counts of a busy day', () => {
  const documentId = 'handbook'
  const requests = 40

  /** Counts a request and its reply, each in a transaction as the server does. */
  async function countExchange(channelId: string, userId: string): Promise<void> {
    const { db, now } = app.deps
    const address = { userId, channelId }
    const at = now()
    await db
      .transaction()
      .execute((tx) => countRequest(tx, { ...address, isNewMessage: true, now: at, isChannelLimited: false }))
    const calls = [{ model: 'gpt-4o', input: 10, output: 5 }]
    const ending = {
      state: 'complete',
      mode: 'model',
      timeToFirstWord: 100,
      citedDocuments: [documentId],
    } as const
    await db
      .transaction()
      .execute((tx) => countReplies(tx, [{ ...address, askedAt: at, model: 'gpt-4o', calls, ending }]))
  }

  async function readSlots(channelId: string): Promise<number[]> {
    const { db, now } = app.deps
    const rows = await db
      .selectFrom('usage_days')
      .select('slot')
      .where('channel_id', '=', channelId)
      .where('day', '=', formatDay(now()))
      .execute()
    return rows.map(({ slot }) => slot)
  }

  it('stay in one row below a thousand requests', async () => {
    app.advance(86_400_000)
    const channelId = await createTestChannel(app.deps)
    for (let at = 0; at < requests; at += 1) await countExchange(channelId, 'ada')
    expect(new Set([...(await readSlots(channelId)), ...(await readSlots(''))])).toEqual(new Set([0]))
  })

  it('are divided into slots, and shown as their sums', async () => {
    app.advance(86_400_000)
    const channelId = await createTestChannel(app.deps)
    await makeBusy(channelId, documentId)
    await Promise.all(Array.from({ length: requests }, (_, at) => countExchange(channelId, `user-${at % 8}`)))
    for (const id of ['', channelId]) {
      const slots = await readSlots(id)
      expect(new Set(slots).size).toBeGreaterThan(2)
      expect(slots.every((slot) => slot >= 0 && slot < 16)).toBe(true)
    }
    const as = await createAdmin(app.deps)
    const day = formatDay(app.deps.now())
    for (const query of [{ channelId }, {}]) {
      const { body } = await app.call(analyticsApi.get, { as, query: { ...query, from: day, to: day } })
      const figures = { messages: 1000 + requests, replies: requests, inputTokens: 10 * requests }
      expect(body.totals).toMatchObject({ ...figures, firstWordP50: expect.any(Number), people: 8 })
      expect(body.days).toMatchObject([{ day, ...figures, people: 8 }])
      expect(body.models).toMatchObject([{ model: 'gpt-4o', replies: requests, outputTokens: 5 * requests }])
    }
    const query = { channelId, limit: 10, skip: 0, from: day, to: day }
    const channels = await app.call(analyticsApi.channels, { as, query })
    expect(channels.body.items).toMatchObject([{ messages: 1000 + requests, replies: requests }])
    const documents = await app.call(analyticsApi.documents, { as, query })
    expect(documents.body.items).toMatchObject([{ documentId, citations: 1000 + requests }])
    expect(documents.body.total).toBe(1)
  })

  it('do not deadlock when the replies of several channels end together', async () => {
    app.advance(86_400_000)
    const channels = [await createTestChannel(app.deps), await createTestChannel(app.deps)]
    for (const channelId of channels) await makeBusy(channelId, documentId)
    const { db, now } = app.deps
    const ended = channels.map((channelId) => ({
      ...{ userId: 'ada', channelId, askedAt: now(), model: null },
      calls: [{ model: 'gpt-4o', input: 1, output: 0 }],
      ending: null,
    }))
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        db.transaction().execute((tx) => countReplies(tx, at % 2 === 0 ? ended : ended.toReversed())),
      ),
    )
    const as = await createAdmin(app.deps)
    for (const channelId of channels) {
      const { body } = await app.call(analyticsApi.get, { as, query: { channelId } })
      expect(body.totals.inputTokens).toBe(40)
    }
  })
})
