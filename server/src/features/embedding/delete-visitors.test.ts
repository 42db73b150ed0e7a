import { auditApi } from '@lyceum/contract/audit'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { visitorDays } from '@lyceum/contract/embedding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { createVisitor, embedChannel } from '#testing/embedding.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { deleteOldVisitors } from './delete-visitors.ts'

const day = 24 * 3_600_000

let app: TestApp
let channelId: string
afterEach(() => app.close())

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await buildTestApp({ env })
  channelId = await createTestChannel(app.deps, { name: 'Help' })
  await embedChannel(app, channelId, { allowsVisitors: true })
}

async function ask(as: TestUser, chatId?: string) {
  const id = chatId ?? (await app.call(chatsApi.create, { as, params: { channelId }, body: {} })).body._id
  const params = { channelId, chatId: id }
  return app.call(chatsApi.send, { as, params, body: { message: 'Where is the lighthouse?' } })
}

async function listVisitors(): Promise<string[]> {
  const rows = await app.deps.db
    .selectFrom('users')
    .select('id')
    .where('visitor_channel_id', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function countRows(
  table: 'chats' | 'messages' | 'embedded_sign_ins' | 'visitor_days',
): Promise<number> {
  return (await app.deps.db.selectFrom(table).selectAll().execute()).length
}

/** As the table that totals are read from says. */
async function listTotals(): Promise<string[]> {
  const as = await createAdmin(app.deps, { isSystemAdmin: true })
  const { body } = await app.call(chatHistoryApi.userSummaries, { as })
  return body.items.map(({ user }) => user._id ?? '')
}

async function countFound(): Promise<number> {
  await app.deps.messageSearch.waitUntilIndexed()
  const as = await createAdmin(app.deps, { isSystemAdmin: true })
  const { body } = await app.call(chatHistoryApi.search, { as, query: { search: 'lighthouse' } })
  return body.total
}

async function listDeletions() {
  const as = await createAdmin(app.deps, { isSystemAdmin: true })
  const { body } = await app.call(auditApi.list, { as, query: { action: 'retention.visitors-deleted' } })
  return body.items.map(({ actor, object, after }) => ({ actor, object, after }))
}

describe('the daily deletion of visitors', () => {
  beforeEach(() => start())

  it('keeps visitors who asked something in the last days, and all users', async () => {
    const quiet = await createVisitor(app, channelId)
    const ada = await createUser(app.deps, { channels: [channelId] })
    await insertTestChat(app.deps, { userId: ada.id, channelId, messages: ['Hello', 'Good day'] })
    const lively = await createVisitor(app, channelId)
    app.advance((visitorDays - 1) * day)
    expect((await ask(lively)).status).toBe(200)
    await app.runJobs()
    expect(await listVisitors()).toEqual([quiet.id, lively.id].sort())
    app.advance((visitorDays - 1) * day)
    await app.runJobs()
    expect(await listVisitors()).toEqual([lively.id])
    expect(await listTotals()).toEqual(expect.arrayContaining([ada.id, lively.id]))
    app.advance(2 * day)
    await app.runJobs()
    expect(await listVisitors()).toEqual([])
    expect(await listTotals()).toEqual([ada.id])
  })

  it('deletes their chats from history, totals and search, and their sign-ins, and records how many', async () => {
    const visitors = [await createVisitor(app, channelId), await createVisitor(app, channelId)]
    for (const visitor of visitors) expect((await ask(visitor)).status).toBe(200)
    expect([await countFound(), (await listTotals()).length]).toEqual([2, 2])
    app.advance((visitorDays + 1) * day)
    await app.runJobs()
    expect(await listVisitors()).toEqual([])
    expect([await countFound(), await listTotals()]).toEqual([0, []])
    expect([await countRows('chats'), await countRows('messages')]).toEqual([0, 0])
    expect([await countRows('embedded_sign_ins'), await countRows('visitor_days')]).toEqual([0, 0])
    for (const as of visitors) expect((await ask(as, 'none')).status).toBe(401)
    expect(await listDeletions()).toEqual([
      {
        actor: null,
        object: { type: 'channel', _id: channelId, name: 'Help' },
        after: { days: visitorDays, visitors: 2 },
      },
    ])
  })

  it('deletes many in batches', async () => {
    const now = app.deps.now()
    await app.deps.db
      .insertInto('users')
      .values(
        Array.from({ length: 120 }, (_, at) => ({
          ...{
            id: `visitor-${at}`,
            email: `${at}@visitors.invalid`,
            name: 'Visitor BCDF',
            role: 'user' as const,
          },
          ...{ is_system_admin: 0 as const, password_hash: '', last_seen_at: now, created_at: now },
          visitor_channel_id: channelId,
        })),
      )
      .execute()
    app.advance((visitorDays + 1) * day)
    await deleteOldVisitors(app.deps, new AbortController().signal)
    expect(await listVisitors()).toEqual([])
    const counts = (await listDeletions()).map(({ after }) => Number(after?.['visitors']))
    expect(counts.length).toBeGreaterThan(1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(120)
  })

  it('deletes or keeps a visitor completely if they send a message at the same time', async () => {
    const visitor = await createVisitor(app, channelId)
    const chatId = (await app.call(chatsApi.create, { as: visitor, params: { channelId }, body: {} })).body
      ._id
    app.advance((visitorDays + 1) * day)
    const [sent] = await Promise.all([
      ask(visitor, chatId),
      deleteOldVisitors(app.deps, new AbortController().signal),
    ])
    const state = [await listVisitors(), await countRows('messages')]
    if (sent.status === 200) expect(state).toEqual([[visitor.id], 2])
    else expect([[401, 404].includes(sent.status), ...state]).toEqual([true, [], 0])
  })
})

describe('deleting a channel', () => {
  it('deletes its visitors with their chats, and no others', async () => {
    await start()
    const as = await createAdmin(app.deps)
    const otherId = await createTestChannel(app.deps)
    await embedChannel(app, otherId, { allowsVisitors: true })
    const other = await createVisitor(app, otherId)
    const visitors = [await createVisitor(app, channelId), await createVisitor(app, channelId)]
    for (const visitor of visitors) expect((await ask(visitor)).status).toBe(200)
    const { status } = await app.call(channelsApi.remove, { as, params: { id: channelId } })
    expect(status).toBe(200)
    expect([await listVisitors(), await countRows('chats')]).toEqual([[other.id], 0])
    for (const visitor of visitors) expect((await ask(visitor, 'none')).status).toBe(401)
  })

  it('deletes visitors whose channel went away without them after some time', async () => {
    await start()
    const visitor = await createVisitor(app, channelId)
    await app.deps.db.deleteFrom('channels').where('id', '=', channelId).execute()
    expect(await listVisitors()).toEqual([visitor.id])
    app.advance((visitorDays + 1) * day)
    await app.runJobs()
    expect(await listVisitors()).toEqual([])
  })
})

describe('RETAIN_CHATS', () => {
  it('does not keep visitors: they were told when their chats are deleted', async () => {
    await start({ RETAIN_CHATS: 'true' })
    expect((await ask(await createVisitor(app, channelId))).status).toBe(200)
    app.advance((visitorDays + 1) * day)
    await app.runJobs()
    expect([await listVisitors(), await countRows('chats')]).toEqual([[], 0])
  })
})
