import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { insertTestChat } from '#testing/chats.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { authenticate } from '../auth/authenticate.ts'
import { exportHistories } from './export-history.ts'

const canExport = { canViewChatHistory: true, canExportChatHistory: true }

let app: TestApp
let exporter: TestUser
let owner: TestUser
let channelId: string
beforeAll(async () => {
  app = await buildTestApp()
  exporter = await createAdmin(app.deps, {
    name: '=Ingrid',
    permissions: { ...canExport, canSearchChatHistory: true },
  })
  channelId = await createTestChannel(app.deps, { name: '+Kitchen, "small"' })
})
beforeEach(async () => {
  await app.deps.db.deleteFrom('chats').execute()
  owner = await createUser(app.deps, { name: '@Ada' })
})
afterAll(() => app.close())

type Query = NonNullable<Parameters<typeof app.call<typeof chatHistoryApi.export>>[1]['query']>
function exportAs(query: Query = {}, as = exporter) {
  return app.call(chatHistoryApi.export, { as, query })
}

function insertChat(messages: readonly string[], options: { title?: string; createdAt?: number } = {}) {
  return insertTestChat(app.deps, { userId: owner.id, channelId, messages, ...options })
}

/** Parses strictly by RFC 4180. */
function readCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y
    const plain = /[^",\r\n]*/y
    const pattern = text[at] === '"' ? quoted : plain
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) throw new Error(`no field at ${at}`)
    record.push(pattern === quoted ? (match[1] ?? '').replaceAll('""', '"') : match[0])
    at = pattern.lastIndex
    if (text.startsWith('\r\n', at)) {
      records.push(record)
      record = []
      at += 2
    } else if (text[at] === ',') at += 1
    else throw new Error(`no end of a field at ${at}`)
  }
  return records
}

async function waitUntilNoExportRuns() {
  await expect.poll(() => app.deps.db.selectFrom('history_exports').selectAll().execute()).toEqual([])
}

describe('GET /admin/chat-histories/export', () => {
  it('rejects unknown formats, and a search by callers without permission to search', async () => {
    expect((await exportAs({ format: 'xlsx' as never })).status).toBe(400)
    const as = await createAdmin(app.deps, { permissions: canExport })
    expect((await exportAs({ search: 'word' }, as)).status).toBe(403)
    expect(await app.deps.db.selectFrom('history_exports').selectAll().execute()).toEqual([])
  })

  it('escapes formulas in CSV and gives every record the same fields', async () => {
    const hostile = ['=1+1', '+1', '-1', '@sum', '\t=1', '\r\n=1', '＝1', 'a,"b"\r\nc', '"=1', ' ']
    await insertChat(hostile, { title: '=cmd()' })
    const response = await exportAs()
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="chat-histories-\d{4}-\d\d-\d\d\.csv"/,
      ),
      'x-total-messages': '10',
      'x-export-cut': 'false',
      'cache-control': 'private, no-store',
    })
    const [head, names, ...rows] = readCsv(response.bytes.toString('utf8'))
    expect(head?.[0]).toMatch(/^Exported by =Ingrid <.*> at \d{4}-.*: 10 messages; filters \{/)
    expect(new Set([head, names, ...rows].map((row) => row?.length))).toEqual(new Set([11]))
    expect(rows.map((row) => row.at(-1))).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@sum",
      "'\t'=1",
      "'=1",
      "'＝1",
      'a,"b"\nc',
      '"=1',
      ' ',
    ])
    expect(rows[0]?.slice(1, 4)).toEqual(["'=cmd()", `'+Kitchen, "small"`, "'@Ada"])
    // Clients count records by their CRLF.
    expect(response.bytes.toString('utf8').split('\r\n').length - 1).toBe(12)
  })

  it('writes one JSON object per line, with the exporter first and an end marker last', async () => {
    const chat = await insertChat(['How?', 'Thus.\nAnd so.'], { title: 'Ways' })
    const response = await exportAs({ format: 'jsonl', userId: owner.id })
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = response.bytes
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      {
        type: 'export',
        exportedBy: { name: exporter.name, email: exporter.email },
        exportedAt: expect.any(String),
        messages: 2,
        isCut: false,
        filters: { userId: owner.id, sortBy: 'createdAt', sortOrder: 'desc' },
      },
      expect.objectContaining({
        type: 'message',
        chat: { _id: chat.id, title: 'Ways' },
        user: { _id: owner.id, name: '@Ada', email: owner.email },
        _id: chat.messages[0]?.id,
        role: 'user',
        content: 'How?',
      }),
      expect.objectContaining({
        role: 'assistant',
        state: 'complete',
        citations: [],
        content: 'Thus.\nAnd so.',
      }),
      { type: 'end', messages: 2, isCut: false },
    ])
  })

  async function exportContents(query: Query): Promise<string[]> {
    const { bytes } = await exportAs({ ...query, format: 'jsonl' })
    const lines = bytes.toString('utf8').trimEnd().split('\n')
    return lines.slice(1, -1).map((line) => JSON.parse(line).content)
  }

  it('contains the filtered chats in the requested order, each from first to last message', async () => {
    const startTime = Date.parse('2026-05-01T00:00:00Z')
    await insertChat(['a1', 'a2 walrus', 'a3'], { createdAt: startTime })
    await insertChat(['b1'], { createdAt: startTime + 10 })
    await insertChat(['c1 walrus', 'c2'], { createdAt: startTime + 20 })
    await insertChat([], { createdAt: startTime + 30 })
    await app.deps.messageSearch.waitUntilIndexed()
    expect(await exportContents({})).toEqual(['c1 walrus', 'c2', 'b1', 'a1', 'a2 walrus', 'a3'])
    expect(await exportContents({ sortOrder: 'asc' })).toEqual([
      'a1',
      'a2 walrus',
      'a3',
      'b1',
      'c1 walrus',
      'c2',
    ])
    expect(await exportContents({ sortBy: 'messageCount', sortOrder: 'asc' })).toEqual([
      'b1',
      'c1 walrus',
      'c2',
      'a1',
      'a2 walrus',
      'a3',
    ])
    expect(await exportContents({ search: 'walrus', sortOrder: 'asc' })).toEqual([
      'a1',
      'a2 walrus',
      'a3',
      'c1 walrus',
      'c2',
    ])
    expect(
      await exportContents({
        startDate: new Date(startTime + 5).toISOString(),
        endDate: new Date(startTime + 10).toISOString(),
      }),
    ).toEqual(['b1'])
    // Paging parameters have no effect on an export.
    expect(await exportContents({ limit: 1, skip: 1 })).toHaveLength(6)
  })

  it('exports the displayed versions, and chats of any length', async () => {
    const long = Array.from({ length: 450 }, (_, at) => `step ${at}`)
    const { id, messages } = await insertChat(long)
    await app.deps.db
      .insertInto('messages')
      .values({
        id: `${id}-other`,
        chat_id: id,
        parent_id: messages[100]?.id ?? '',
        role: 'assistant',
        content: 'a version that is not shown',
        state: 'complete',
        last_event: 0,
        created_at: 1,
      })
      .execute()
    expect(await exportContents({})).toEqual(long)
  })

  it('is cut at 50,000 messages and says so in the headers, the first and the last record', async () => {
    const { db } = app.deps
    await insertChat(['one', 'two'])
    await insertChat(['three'])
    await db.updateTable('chats').set({ message_count: 49_999 }).where('message_count', '=', 1).execute()
    const cut = await exportAs()
    expect(cut.headers).toMatchObject({ 'x-total-messages': '50000', 'x-export-cut': 'true' })
    const rows = readCsv(cut.bytes.toString('utf8'))
    expect(rows[0]?.[0]).toContain('50000 messages, truncated')
    expect(rows.at(-1)?.[0]).toMatch(/^Truncated after 3 messages/)
  })

  it('is audited with its filters and size before the first byte is sent', async () => {
    await insertChat(['word of mouth'])
    await exportAs({ userId: owner.id })
    const entry = await app.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'history.exported')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(entry.actor_id).toBe(exporter.id)
    expect(JSON.parse(entry.after ?? '')).toEqual({
      userId: owner.id,
      sortBy: 'createdAt',
      sortOrder: 'desc',
      format: 'csv',
      messages: 1,
      isCut: false,
    })
  })

  it.each([undefined, 'Ada'])(
    'does not read the first questions of chats, searching for %s',
    async (search) => {
      await insertChat(['What falls?', 'Apples.'])
      const columns = new Set<string>()
      const columnRecorder: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          for (const name of Object.keys(result.rows[0] ?? {})) columns.add(name)
          return result
        },
      }
      // Only the original database can record audit entries in its transactions.
      const db = Object.assign(app.deps.db.withPlugin(columnRecorder), {
        transaction: () => app.deps.db.transaction(),
      })
      const deps = { ...app.deps, db }
      const actor = await authenticate(deps, exporter.token, { ip: '127.0.0.1', userAgent: 'test' })
      if (!actor) throw new Error('no session')
      const query = chatHistoryApi.export.query.parse({ format: 'jsonl', search })
      const { content } = await exportHistories(deps, actor, query, async () => undefined)
      expect(await text(content as Readable)).toContain('What falls?')
      expect([...columns]).toContain('channel_name')
      expect([...columns]).not.toContain('first_question')
    },
  )
})

describe('concurrent exports', () => {
  async function startExport(as: TestUser, signal?: AbortSignal) {
    const url = (await app.url()) + buildPath(chatHistoryApi.export, {}, { format: 'jsonl' })
    return fetch(url, { headers: { authorization: `Bearer ${as.token}` }, ...(signal ? { signal } : {}) })
  }
  /** Writes more than the buffers between server and reader can hold. */
  async function insertLargeChat() {
    const texts = Array.from({ length: 40 }, () => 'much to read '.repeat(6000))
    for (let at = 0; at < 4; at += 1) await insertChat(texts)
  }

  it('are rejected for the same user, even if started at the same time, but not for different users', async () => {
    await insertLargeChat()
    const other = await createAdmin(app.deps, { permissions: canExport })
    const pair = await Promise.all([startExport(exporter), startExport(exporter)])
    // Afterwards, because the server handles two exports at a time and answers a third one with 429.
    const responses = [...pair, await startExport(other)]
    expect(pair.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(responses[2]?.status).toBe(200)
    const refused = responses.find(({ status }) => status === 409)
    expect(await refused?.json()).toMatchObject({ code: 'history.exporting' })
    const texts = await Promise.all(responses.filter(({ ok }) => ok).map((response) => response.text()))
    for (const text of texts)
      expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ messages: 160 })
    await waitUntilNoExportRuns()
    const next = await startExport(exporter)
    expect(next.status).toBe(200)
    // Exports run until their last byte is read.
    await next.body?.cancel()
  })

  it('end when the client disconnects, and the user can then start another', async () => {
    await insertLargeChat()
    await waitUntilNoExportRuns()
    const connection = new AbortController()
    const response = await startExport(exporter, connection.signal)
    await response.body?.getReader().read()
    connection.abort()
    await waitUntilNoExportRuns()
    expect((await exportAs()).status).toBe(200)
  })

  it.each(['canExportChatHistory', 'canViewChatHistory', 'canAccessAdminPanel', 'session'])(
    'abort when the user loses: %s',
    async (lost) => {
      await insertLargeChat()
      const as = await createAdmin(app.deps, { permissions: canExport })
      const response = await startExport(as)
      expect(response.status).toBe(200)
      const { db } = app.deps
      if (lost === 'session') await db.deleteFrom('sessions').where('user_id', '=', as.id).execute()
      else {
        const permission_overrides = JSON.stringify({ ...canExport, [lost]: false })
        await db.updateTable('users').set({ permission_overrides }).where('id', '=', as.id).execute()
      }
      app.advance(6000)
      await expect(response.text()).rejects.toThrow()
      await waitUntilNoExportRuns()
    },
  )

  it('are possible again after the lease of a killed server expires', async () => {
    const lease = { user_id: exporter.id, fence: 'of a dead server', lease_until: Date.UTC(2100, 0) }
    await app.deps.db.insertInto('history_exports').values(lease).execute()
    expect((await exportAs()).status).toBe(409)
    await app.deps.db.updateTable('history_exports').set({ lease_until: 1 }).execute()
    expect((await exportAs()).status).toBe(200)
    await waitUntilNoExportRuns()
  })
})
