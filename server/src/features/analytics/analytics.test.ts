import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { addDays, analyticsApi, analyticsTables, formatDay } from '@lyceum/contract/analytics'
import type { AuditAction } from '@lyceum/contract/audit'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { usersApi } from '@lyceum/contract/users'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPostgres } from '#db/dialect.ts'
import { createRecheck } from '#http/recheck.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { authenticate, isStillAllowed } from '../auth/authenticate.ts'
import { exportTable } from './export.ts'
import { selectQuestionPage } from './question-store.ts'

const day = 86_400_000
const answered = 'What is the daily allowance for travel in Norway?'
const unanswered = 'Which wavelengths does the telescope in Potsdam observe?'

let app: TestApp
let system: TestUser
let admin: TestUser
let ada: TestUser
let channelId: string

beforeEach(async () => {
  app = await buildTestApp()
  // Start an hour after midnight, so that the date does not change during a test.
  app.advance(day - (app.deps.now() % day) + 3_600_000)
  system = await createAdmin(app.deps, { isSystemAdmin: true })
  admin = await createAdmin(app.deps, { name: 'Ines' })
  channelId = await createTestChannel(app.deps, { name: 'Travel', strictDocumentsOnly: true })
  ada = await createUser(app.deps, { name: 'Ada Secret', channels: [channelId] })
})
afterEach(() => app.close())

async function uploadApproved(name: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: system,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: system, params: { id: body._id } })
  await app.runJobs()
  return body._id
}

function uploadPolicy() {
  return uploadApproved('policy.txt', 'The daily allowance for travel in Norway is 62.50 euros.')
}

async function ask(message: string, as = ada) {
  const params = { channelId, chatId: '' }
  params.chatId = (await app.call(chatsApi.create, { as, params: { channelId }, body: {} })).body._id
  const { status, body } = await app.call(chatsApi.send, { as, params, body: { message } })
  expect(status).toBe(200)
  return { ...body, params }
}

async function readFigures(query: { channelId?: string; from?: string; to?: string } = {}) {
  return (await app.call(analyticsApi.get, { as: admin, query })).body
}
async function listQuestions(
  query: { channelId?: string; state?: 'open' | 'resolved'; skip?: number; limit?: number } = {},
  as = admin,
) {
  return (await app.call(analyticsApi.questions, { as, query })).body
}
async function callExport(table: (typeof analyticsTables)[number], query: { channelId?: string } = {}) {
  const response = await app.call(analyticsApi.export, { as: admin, query: { ...query, table } })
  return { ...response, text: response.bytes.toString('utf8') }
}
function listAuditEntries(...actions: AuditAction[]) {
  return app.deps.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', 'in', actions)
    .orderBy('seq')
    .execute()
}

describe('analytics', () => {
  it('require canViewAnalytics, whatever other permissions the caller has', async () => {
    const reader = await createAdmin(app.deps, { permissions: { canViewAnalytics: false } })
    const params = { id: 'nothing' }
    for (const as of [ada, reader]) {
      const responses = [
        await app.call(analyticsApi.get, { as, query: {} }),
        await app.call(analyticsApi.channels, { as, query: {} }),
        await app.call(analyticsApi.documents, { as, query: {} }),
        await app.call(analyticsApi.questions, { as, query: {} }),
        await app.call(analyticsApi.export, { as, query: { table: 'questions' } }),
        await app.call(analyticsApi.resolve, { as, params, body: { isResolved: true } }),
      ]
      for (const { status, body } of responses)
        expect([status, body.message]).toEqual([403, 'You do not have permission to view analytics'])
    }
    expect([
      ...(await listAuditEntries('analytics.read')),
      ...(await listAuditEntries('analytics.exported')),
    ]).toEqual([])
  })

  it.each([
    [{ from: '2026-02-30' }, 'Enter a valid date'],
    [{ to: '20260101' }, 'Enter a valid date'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'The end date must not be before the start date'],
    [{ from: '2025-01-01', to: '2026-02-05' }, 'Choose at most 400 days'],
  ])('reject the range %j', async (query, message) => {
    const { status, body } = await app.call(analyticsApi.get, { as: admin, query })
    expect([status, body.code, body.message]).toEqual([400, 'validation.failed', message])
  })

  it('return thirty empty days when there is no data', async () => {
    const { from, to, days, totals, before, models } = await readFigures()
    const today = formatDay(app.deps.now())
    expect([from, to, days.length]).toEqual([addDays(today, -29), today, 30])
    expect(totals).toMatchObject({ messages: 0, people: 0, replies: 0, firstWordP50: null })
    expect(before).toEqual(totals)
    expect(models).toEqual([])
    for (const call of [analyticsApi.channels, analyticsApi.documents, analyticsApi.questions] as const)
      expect((await app.call(call, { as: admin, query: {} })).body).toEqual({
        items: [],
        total: 0,
        totalPages: 0,
      })
  })

  it('count messages, users, replies and reply modes per day, channel and model', async () => {
    const documentId = await uploadPolicy()
    const bela = await createUser(app.deps, { channels: [channelId] })
    await ask(answered)
    await ask(answered, bela)
    await ask(unanswered)
    app.advance(day)
    const later = await createUser(app.deps, { channels: [channelId] })
    admin = await createAdmin(app.deps)
    await ask(answered, later)
    const { totals, days, models } = await readFigures()
    expect(totals).toMatchObject({ messages: 4, people: 3, replies: 4, refusals: 1, quoted: 3, failures: 0 })
    expect(totals.firstWordP95).toBeGreaterThan(0)
    expect(days.slice(-2).map(({ messages, people, refusals }) => [messages, people, refusals])).toEqual([
      [3, 2, 1],
      [1, 1, 0],
    ])
    expect(models.map(({ model, replies }) => [model, replies])).toEqual([['extractive', 4]])
    expect(await readFigures({ channelId })).toMatchObject({ totals })
    expect((await readFigures({ channelId: 'another' })).totals.messages).toBe(0)
    const today = formatDay(app.deps.now())
    const yesterday = await readFigures({ from: addDays(today, -1), to: addDays(today, -1) })
    expect([yesterday.totals.messages, yesterday.totals.people]).toEqual([3, 2])
    const todayOnly = await readFigures({ from: today, to: today })
    expect([todayOnly.totals.messages, todayOnly.before.messages]).toEqual([1, 3])
    const channels = await app.call(analyticsApi.channels, { as: admin, query: {} })
    expect(channels.body.items).toMatchObject([
      { channelId, channelName: 'Travel', messages: 4, refusals: 1 },
    ])
    const documents = await app.call(analyticsApi.documents, { as: admin, query: {} })
    expect(documents.body).toEqual({
      items: [{ documentId, title: 'policy.txt', channelId, channelName: 'Travel', citations: 3 }],
      total: 1,
      totalPages: 1,
    })
  })

  it('count a changed rating once, on the day of the question', async () => {
    await uploadPolicy()
    const { params, reply } = await ask(answered)
    function rate(rating: 'good' | 'bad' | null) {
      return app.call(chatsApi.rate, {
        as: ada,
        params: { ...params, messageId: reply._id },
        body: { rating, reason: null, comment: '' },
      })
    }
    async function ratings() {
      const { good, bad } = (await readFigures({ channelId })).totals
      return [good, bad]
    }
    for (const [rating, counts] of [
      ['good', [1, 0]],
      ['good', [1, 0]],
      ['bad', [0, 1]],
      [null, [0, 0]],
      ['good', [1, 0]],
    ] as const) {
      expect((await rate(rating)).status).toBe(200)
      expect(await ratings()).toEqual(counts)
    }
  })

  it('survive the deletion of users, documents and channels', async () => {
    const documentId = await uploadPolicy()
    await ask(answered)
    const { totals } = await readFigures()
    await app.call(documentsApi.remove, { as: system, params: { id: documentId } })
    await app.call(usersApi.remove, { as: system, params: { id: ada.id } })
    async function documents() {
      return (await app.call(analyticsApi.documents, { as: admin, query: {} })).body.items
    }
    expect(await documents()).toMatchObject([{ title: null, channelName: 'Travel', citations: 1 }])
    await app.call(channelsApi.remove, { as: system, params: { id: channelId } })
    expect((await readFigures()).totals).toEqual(totals)
    expect((await app.call(analyticsApi.channels, { as: admin, query: {} })).body.items).toMatchObject([
      { channelId, channelName: null, messages: 1 },
    ])
    expect(await documents()).toMatchObject([{ title: null, channelName: null, citations: 1 }])
  })
})

describe('unanswered questions', () => {
  it('are listed with their reason and without their author', async () => {
    await ask(unanswered)
    await uploadPolicy()
    await ask(unanswered)
    const { items, total } = await listQuestions()
    expect(total).toBe(2)
    expect(
      items.map(({ text, reason, channelName, resolved }) => [text, reason, channelName, resolved]),
    ).toEqual([
      [unanswered, 'nothing-found', 'Travel', null],
      [unanswered, 'no-documents', 'Travel', null],
    ])
    expect(JSON.stringify(items)).not.toContain(ada.id)
    expect(JSON.stringify(items)).not.toContain('Ada Secret')
  })

  it('are paged and filtered by channel', async () => {
    for (let asked = 0; asked < 5; asked += 1) await ask(`${unanswered} ${asked}`)
    const first = await listQuestions({ limit: 2 })
    const second = await listQuestions({ limit: 2, skip: 2, channelId })
    expect([first.total, first.totalPages]).toEqual([5, 3])
    expect([...first.items, ...second.items].map(({ text }) => text.at(-1))).toEqual(['4', '3', '2', '1'])
    expect((await listQuestions({ channelId: 'another' })).items).toEqual([])
  })

  it.each([
    ['open', undefined, 'open_questions_by_time'],
    ['resolved', undefined, 'resolved_questions_by_time'],
    ['open', 'c', 'open_questions_by_channel'],
    ['resolved', 'c', 'resolved_questions_by_channel'],
  ] as const)(
    'that are %s (channel %s) are read from one index range, in order',
    async (state, channel, index) => {
      const { db } = app.deps
      if (isPostgres(db as never)) return
      const filter = { state, channelId: channel, range: { from: '2026-01-01', to: '2026-02-01' } }
      const { sql: text } = selectQuestionPage(db, filter, { limit: 50, skip: 0 }).compile()
      const plan = sql<{ detail: string }>`${sql.raw(`explain query plan ${text.replaceAll('?', "'1'")}`)}`
      const steps = (await plan.execute(db)).rows.map(({ detail }) => detail)
      expect(steps).toEqual([expect.stringContaining(`USING COVERING INDEX ${index} `)])
    },
  )

  it('are resolved once, by the first user, and can be reopened', async () => {
    await ask(unanswered)
    const [open] = (await listQuestions()).items
    function resolve(isResolved: boolean, as: TestUser) {
      return app.call(analyticsApi.resolve, { as, params: { id: open?._id ?? '' }, body: { isResolved } })
    }
    expect((await resolve(true, admin)).body.resolved).toMatchObject({ by: 'Ines' })
    expect((await resolve(true, system)).body.resolved).toMatchObject({ by: 'Ines' })
    expect((await listQuestions()).items).toEqual([])
    expect((await listQuestions({ state: 'resolved' })).items).toHaveLength(1)
    expect((await resolve(false, system)).body.resolved).toBeNull()
    expect((await listQuestions()).items).toHaveLength(1)
    expect(await listAuditEntries('question.resolved', 'question.reopened')).toMatchObject([
      { action: 'question.resolved', actor_id: admin.id, object_id: open?._id, object_name: null },
      { action: 'question.reopened', actor_id: system.id, object_id: open?._id },
    ])
    const nothing = { params: { id: 'nothing' }, body: { isResolved: true } }
    expect((await app.call(analyticsApi.resolve, { as: admin, ...nothing })).status).toBe(404)
  })

  it('are audited once when two users resolve one at the same time', async () => {
    await ask(unanswered)
    const [open] = (await listQuestions()).items
    const params = { id: open?._id ?? '' }
    const responses = await Promise.all(
      [admin, system, admin, system].map((as) =>
        app.call(analyticsApi.resolve, { as, params, body: { isResolved: true } }),
      ),
    )
    const [entry, ...more] = await listAuditEntries('question.resolved')
    expect(more).toEqual([])
    const first = entry?.actor_id === admin.id ? 'Ines' : system.name
    expect(responses.map(({ body }) => body.resolved?.by)).toEqual(responses.map(() => first))
  })

  it('leave the list when a new attempt is answered or their chat is deleted', async () => {
    const { params, reply } = await ask(answered)
    await ask(unanswered)
    expect((await listQuestions()).total).toBe(2)
    await uploadPolicy()
    await app.call(chatsApi.regenerate, { as: ada, params: { ...params, messageId: reply._id } })
    expect((await listQuestions()).items.map(({ text }) => text)).toEqual([unanswered])
    await app.call(usersApi.remove, { as: system, params: { id: ada.id } })
    expect((await listQuestions()).total).toBe(0)
  })

  it('are sent only after the read has been recorded in the audit log', async () => {
    await ask(unanswered)
    await listQuestions({ channelId })
    expect(await listAuditEntries('analytics.read')).toMatchObject([{ actor_id: admin.id, result: 'ok' }])
    async function expectAuditUnavailable(statement: string) {
      await sql.raw(statement).execute(app.deps.db)
      const responses = [
        await app.call(analyticsApi.questions, { as: admin, query: {} }),
        await app.call(analyticsApi.export, { as: admin, query: { table: 'questions' } }),
      ]
      for (const { status, body, bytes } of responses) {
        expect([status, body.code]).toEqual([503, 'audit.unavailable'])
        expect(bytes.toString()).not.toContain('Potsdam')
      }
    }
    await expectAuditUnavailable('alter table audit_log rename to audit_log_away')
    await sql.raw('alter table audit_log_away rename to audit_log').execute(app.deps.db)
    expect(await listAuditEntries('analytics.exported')).toEqual([])
  })
})

describe('the export', () => {
  it('exports every table with a header row and records the export', async () => {
    await uploadPolicy()
    await ask(answered)
    await ask(unanswered)
    for (const table of analyticsTables) {
      const { status, headers, text } = await callExport(table)
      expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
      expect(headers['content-disposition']).toContain(`${table}-`)
      const rows = text.trimEnd().split('\r\n')
      expect([table, rows.length]).toEqual([
        table,
        { days: 31, channels: 2, models: 2, documents: 2, questions: 2 }[table],
      ])
    }
    expect(await listAuditEntries('analytics.exported')).toHaveLength(analyticsTables.length)
  })

  it('escapes formulas and contains every question once', async () => {
    await ask('=HYPERLINK("https://evil.example", "Potsdam")')
    const { deps } = app
    const [asked] = await deps.db.selectFrom('unanswered_questions').selectAll().execute()
    const [message] = await deps.db.selectFrom('messages').selectAll().where('role', '=', 'user').execute()
    if (!asked || !message) throw new Error('the question was not stored')
    // Many questions share one timestamp: paging by key must neither skip nor repeat any.
    const ids = Array.from({ length: 1200 }, (_, index) => `copy-${String(index).padStart(4, '0')}`)
    for (let index = 0; index < ids.length; index += 200) {
      const batch = ids.slice(index, index + 200)
      const { seq: _, ...copied } = message
      await deps.db
        .insertInto('messages')
        .values(batch.map((id) => ({ ...copied, id, idempotency_key: null, content: `Question ${id}` })))
        .execute()
      await deps.db
        .insertInto('unanswered_questions')
        .values(batch.map((id) => ({ ...asked, message_id: id })))
        .execute()
    }
    const { text } = await callExport('questions')
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example""`)
    const found = text.match(/copy-\d{4}/g) ?? []
    expect(found).toHaveLength(1200)
    expect(new Set(found).size).toBe(1200)
  })

  it('loads the titles of more documents than one statement can have parameters', {
    timeout: 60_000,
  }, async () => {
    const today = formatDay(app.deps.now())
    const rows = Array.from({ length: 70_000 }, (_, index) => ({
      channel_id: channelId,
      document_id: `document-${String(index).padStart(5, '0')}`,
      day: today,
      citations: 1,
    }))
    // The export includes only channels with daily usage.
    await app.deps.db
      .insertInto('usage_days')
      .values({ channel_id: channelId, day: today, model: '' })
      .execute()
    for (let index = 0; index < rows.length; index += 5000)
      await app.deps.db
        .insertInto('citation_days')
        .values(rows.slice(index, index + 5000))
        .execute()
    const { status, text } = await callExport('documents')
    expect(status).toBe(200)
    expect(new Set(text.match(/document-\d{5}/g)).size).toBe(rows.length)
  })

  it('does not support HEAD and aborts when the permission is lost', async () => {
    const { server, deps } = app
    const headers = { authorization: `Bearer ${admin.token}` }
    const url = '/api/admin/analytics/export?table=days'
    expect((await server.inject({ method: 'HEAD', url, headers })).statusCode).toBe(405)
    expect(await listAuditEntries('analytics.exported')).toEqual([])
    const actor = await authenticate(deps, admin.token, { ip: '', userAgent: '' })
    if (!actor) throw new Error('the token is not valid')
    const recheck = createRecheck(
      { isStillAllowed: (...caller) => isStillAllowed(deps, ...caller), now: deps.now },
      actor,
      'canViewAnalytics',
    )
    const { content } = await exportTable(deps, actor, { table: 'days', state: 'open' }, recheck)
    await deps.db.deleteFrom('sessions').where('user_id', '=', admin.id).execute()
    app.advance(6_000)
    await expect(text(content as Readable)).rejects.toThrow('The permission for this file was revoked')
  })
})
