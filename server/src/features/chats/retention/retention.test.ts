import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { applyRetention } from './retention.ts'

const day = 24 * 3_600_000

let app: TestApp
let admin: TestUser
let owner: TestUser
let generalChannelId: string
let ownPeriodChannelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  generalChannelId = await createTestChannel(app.deps, { name: 'Kept' })
  ownPeriodChannelId = await createTestChannel(app.deps, { name: 'Short' })
  owner = await createUser(app.deps, { channels: [generalChannelId, ownPeriodChannelId] })
})
afterEach(() => app.close())

function setGeneralPeriod(days: number | null) {
  return app.call(conversationsApi.setRetention, { as: admin, body: { days } })
}

async function setChannelPeriod(id: string, retentionDays: number | null, as = admin) {
  const body = { name: 'Short', description: 'Words', llmModel: 'gpt-4o' as const, retentionDays }
  return app.call(channelsApi.update, { as, params: { id }, body })
}

function insertChat(channelId: string, daysAgo: number, messages: readonly string[] = ['Hello', 'Good day']) {
  return insertTestChat(app.deps, {
    userId: owner.id,
    channelId,
    title: 'Lighthouse',
    messages,
    createdAt: app.deps.now() - daysAgo * day,
  })
}

async function listChatIds(): Promise<string[]> {
  const rows = await app.deps.db.selectFrom('chats').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
async function countRows(table: 'messages' | 'message_feedback'): Promise<number> {
  const rows = await app.deps.db.selectFrom(table).selectAll().execute()
  return rows.length
}
async function listAuditEntries() {
  const rows = await app.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'object_id', 'object_name', 'after'])
    .where('action', '=', 'retention.applied')
    .orderBy('seq')
    .execute()
  return rows.map(({ after, ...row }) => ({ ...row, after: JSON.parse(after ?? '') }))
}
const neverAborted = new AbortController().signal

describe('chat retention', () => {
  it('rejects periods below a week or above ten years, and callers without canEditChannels', async () => {
    for (const days of [6, 3651, 7.5]) {
      const response = await setChannelPeriod(ownPeriodChannelId, days)
      expect([response.status, response.body.fields]).toEqual([
        400,
        { retentionDays: 'Enter 7 to 3650 days, or leave it empty' },
      ])
    }
    const reader = await createAdmin(app.deps, { permissions: { canEditChannels: false } })
    expect((await setChannelPeriod(ownPeriodChannelId, 7, reader)).status).toBe(403)
    const { body } = await app.call(channelsApi.get, { as: admin, params: { id: ownPeriodChannelId } })
    expect([body.retentionDays, body.chatsKeptDays]).toEqual([null, null])
  })

  it('keeps chats forever by default', async () => {
    const { id } = await insertChat(generalChannelId, 4000)
    await app.runJobs()
    expect([await listChatIds(), await listAuditEntries()]).toEqual([[id], []])
  })

  it('counts from the last message and prefers the channel’s own period', async () => {
    await setGeneralPeriod(30)
    await setChannelPeriod(ownPeriodChannelId, 7)
    await insertChat(generalChannelId, 31)
    const young = await insertChat(generalChannelId, 29)
    await insertChat(ownPeriodChannelId, 8)
    await insertChat(ownPeriodChannelId, 31)
    const fresh = await insertChat(ownPeriodChannelId, 6)
    await app.runJobs()
    expect(await listChatIds()).toEqual([young.id, fresh.id].sort())
    expect(await countRows('messages')).toBe(4)
    expect((await listAuditEntries()).toSorted((a, b) => a.after.days - b.after.days)).toEqual([
      {
        actor_id: null,
        object_id: ownPeriodChannelId,
        object_name: 'Short',
        after: { days: 7, chats: 2, messages: 4 },
      },
      {
        actor_id: null,
        object_id: generalChannelId,
        object_name: 'Kept',
        after: { days: 30, chats: 1, messages: 2 },
      },
    ])
  })

  it('runs once a day', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    await app.runJobs()
    const { id } = await insertChat(ownPeriodChannelId, 5)
    app.advance(day)
    await app.runJobs()
    expect(await listChatIds()).toEqual([id])
    app.advance(day)
    await app.runJobs()
    expect(await listChatIds()).toEqual([])
    expect(await listAuditEntries()).toHaveLength(1)
    app.advance(day)
    await app.runJobs()
    expect(await listAuditEntries()).toHaveLength(1)
  })

  it('deletes a chat’s search entries and feedback', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    const { messages } = await insertChat(ownPeriodChannelId, 20, [
      'Where is the lighthouse?',
      'On the cape.',
    ])
    await app.deps.db
      .insertInto('message_feedback')
      .values({
        message_id: messages[1]?.id ?? '',
        rating: 'good',
        reason: null,
        comment: '',
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    await app.deps.messageSearch.waitUntilIndexed()
    async function search() {
      return (
        await app.deps.messageSearch.findOwnMessages({
          words: 'lighthouse',
          userId: owner.id,
          limit: 10,
          skip: 0,
        })
      ).total
    }
    expect(await search()).toBeGreaterThan(0)
    await app.runJobs()
    await app.deps.messageSearch.waitUntilIndexed()
    expect([await search(), await countRows('messages'), await countRows('message_feedback')]).toEqual([
      0, 0, 0,
    ])
  })

  it('skips a chat with a running reply', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    const { id, messages } = await insertChat(ownPeriodChannelId, 20)
    await app.deps.db
      .updateTable('messages')
      .set({ state: 'streaming', lease_owner: 'elsewhere', lease_until: app.deps.now() + 10 * day })
      .where('id', '=', messages[1]?.id ?? '')
      .execute()
    await applyRetention(app.deps, neverAborted)
    expect(await listChatIds()).toEqual([id])
  })

  it('deletes or keeps a chat completely if a message is sent at the same time', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    const { id } = await insertChat(ownPeriodChannelId, 20)
    const send = app.call(chatsApi.send, {
      as: owner,
      params: { channelId: ownPeriodChannelId, chatId: id },
      body: { message: 'Still there?' },
    })
    const [sent] = await Promise.all([send, applyRetention(app.deps, neverAborted)])
    const remaining = await listChatIds()
    if (sent.status === 200) expect([remaining, await countRows('messages')]).toEqual([[id], 4])
    else expect([sent.status, remaining, await countRows('messages')]).toEqual([404, [], 0])
  })

  it('deletes many chats and very long ones in batches', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    const long = Array.from({ length: 2500 }, (_, at) => `Line ${at}`)
    await insertChat(ownPeriodChannelId, 30, long)
    for (let at = 0; at < 130; at += 1) await insertChat(ownPeriodChannelId, 20, ['Hello', 'Good day'])
    const { id } = await insertChat(ownPeriodChannelId, 1)
    await applyRetention(app.deps, neverAborted)
    expect([await listChatIds(), await countRows('messages')]).toEqual([[id], 2])
    expect((await listAuditEntries()).map(({ after }) => after)).toEqual([
      { days: 7, chats: 131, messages: 2760 },
    ])
  })

  it('stops when the period is extended or removed during a run', async () => {
    const changes = {
      everywhere: () => setGeneralPeriod(null),
      inChannel: () => setChannelPeriod(ownPeriodChannelId, 3650),
    }
    for (const [where, change] of Object.entries(changes)) {
      await setGeneralPeriod(7)
      await setChannelPeriod(ownPeriodChannelId, null)
      const { id } = await insertChat(ownPeriodChannelId, 20)
      const { db } = app.deps
      let transactions = 0
      function transaction() {
        const real = db.transaction()
        transactions += 1
        if (transactions !== 2) return real
        const execute: typeof real.execute = async (work) => {
          expect((await change()).status).toBe(200)
          return real.execute(work)
        }
        return { execute } as typeof real
      }
      const watchedDb = new Proxy(db, {
        get: (target, name) => {
          if (name === 'transaction') return transaction
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      await applyRetention({ ...app.deps, db: watchedDb }, neverAborted)
      expect([where, transactions, await listChatIds()]).toEqual([where, 2, [id]])
      await db.deleteFrom('chats').execute()
    }
  })

  it('audits what an aborted run had deleted', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    for (let at = 0; at < 130; at += 1) await insertChat(ownPeriodChannelId, 20, ['Hello', 'Good day'])
    const stop = new AbortController()
    const abortedRun = applyRetention(app.deps, stop.signal)
    await expect.poll(async () => (await listChatIds()).length, { interval: 1 }).toBeLessThan(130)
    stop.abort()
    await abortedRun.catch(() => undefined)
    await applyRetention(app.deps, neverAborted)
    const counts = (await listAuditEntries()).map(({ after }) => after.chats as number)
    expect(counts.reduce((sum, chats) => sum + chats, 0)).toBe(130)
    expect(await listChatIds()).toEqual([])
  })
})

describe('retention preview', () => {
  function previewAll(days: number | undefined, as = admin) {
    return app.call(conversationsApi.previewRetention, { as, query: days === undefined ? {} : { days } })
  }
  function previewChannel(id: string, days: number | undefined, as = admin) {
    return app.call(channelsApi.previewRetention, {
      as,
      params: { id },
      query: days === undefined ? {} : { days },
    })
  }

  it('rejects callers who cannot change the period', async () => {
    const reader = await createAdmin(app.deps, {
      permissions: { canManageSettings: false, canEditChannels: false },
    })
    for (const as of [owner, reader]) {
      expect((await previewAll(30, as)).status).toBe(403)
      expect((await previewChannel(ownPeriodChannelId, 30, as)).status).toBe(403)
    }
    for (const days of [6, 3651]) expect((await previewAll(days)).status).toBe(400)
    expect((await previewChannel('none', 30)).status).toBe(404)
  })

  it('counts the chats to be deleted and changes nothing', async () => {
    await setChannelPeriod(ownPeriodChannelId, 7)
    for (const age of [10, 40]) await insertChat(generalChannelId, age)
    for (const age of [5, 10, 40]) await insertChat(ownPeriodChannelId, age)
    async function getPreview(response: ReturnType<typeof previewAll>) {
      return (await response).body
    }
    expect(await getPreview(previewAll(undefined))).toEqual({ chats: 0, isCut: false })
    // Channels with their own retention period are not affected.
    expect(await getPreview(previewAll(30))).toEqual({ chats: 1, isCut: false })
    expect(await getPreview(previewAll(7))).toEqual({ chats: 2, isCut: false })
    expect(await getPreview(previewChannel(ownPeriodChannelId, 30))).toEqual({ chats: 1, isCut: false })
    expect(await getPreview(previewChannel(ownPeriodChannelId, undefined))).toEqual({
      chats: 2,
      isCut: false,
    })
    expect(await listChatIds()).toHaveLength(5)
  })
})
