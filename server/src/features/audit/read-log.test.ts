import type { Readable } from 'node:stream'
import { auditApi, auditListMaximum } from '@lyceum/contract/audit'
import { chatsApi } from '@lyceum/contract/chats'
import { settingsApi } from '@lyceum/contract/settings'
import { usersApi } from '@lyceum/contract/users'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPostgres } from '#db/dialect.ts'
import { createRecheck } from '#http/recheck.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { authenticate, isStillAllowed } from '../auth/authenticate.ts'
import { audit, auditAlone } from './append.ts'
import { exportLog } from './read-log.ts'
import {
  countEntries,
  type EntryFilter,
  listEntries,
  listEntriesAfter,
  selectKeyPage,
  selectKeysAfter,
} from './store.ts'
import { verifyChain } from './verify.ts'

let app: TestApp
let system: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  system = await createAdmin(app.deps, { isSystemAdmin: true, name: 'Sys Admin' })
})
afterEach(() => app.close())

function listLog(query: object = {}, as = system) {
  return app.call(auditApi.list, { as, query: query as never })
}
async function readActions(query: object = {}): Promise<string[]> {
  return (await listLog(query)).body.items.map(({ action }) => action)
}

/** Uses one transaction, because one per entry is many times slower. */
function writeEntries(count: number): Promise<void> {
  return app.deps.db.transaction().execute(async (tx) => {
    for (let left = count; left > 0; left -= 1)
      await audit(app.deps, tx, { actor: null, action: 'channel.changed', after: { left } })
  })
}

describe('GET /admin/audit-log', () => {
  it('requires canViewAuditLog, which administrators do not have by default', async () => {
    const admin = await createAdmin(app.deps)
    const granted = await createAdmin(app.deps, { permissions: { canViewAuditLog: true } })
    expect((await listLog({}, await createUser(app.deps))).status).toBe(403)
    expect((await listLog({}, admin)).body.message).toBe('You do not have permission to view the audit log')
    expect((await listLog({}, granted)).status).toBe(200)
  })

  it('leaves out one’s own reading if asked to, and nothing else', async () => {
    const other = await createAdmin(app.deps, { permissions: { canViewAuditLog: true } })
    await listLog({}, other)
    await listLog()
    await writeEntries(1)
    const { items, total } = (await listLog({ ownReading: 'hide' })).body
    expect(items.map(({ action, actor }) => [action, actor?._id ?? null])).toEqual([
      ['channel.changed', null],
      ['audit.read', other.id],
    ])
    expect(total).toBe(2)
    expect((await readActions()).filter((action) => action === 'audit.read')).toHaveLength(3)
    expect((await listLog({ ownReading: 'show' })).status).toBe(400)
  })

  it('names the channels and chats that entries refer to by id, unless they were deleted', async () => {
    const channelId = await createTestChannel(app.deps, { name: 'Staff handbook' })
    const ada = await createUser(app.deps, { name: 'Ada', channels: [channelId] })
    const chat = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    const objects = [
      { type: 'channel', id: channelId },
      { type: 'chat', id: chat.body._id },
      { type: 'chat', id: 'deleted' },
    ] as const
    await app.deps.db.transaction().execute(async (tx) => {
      for (const object of objects)
        await audit(app.deps, tx, { actor: null, action: 'channel.changed', object })
    })
    const { items } = (await listLog()).body
    expect(items.map(({ object }) => object?.name)).toEqual([null, 'Ada, Staff handbook', 'Staff handbook'])
    expect((await verifyChain(app.deps.db)).fault).toBeNull()
  })

  it('says what a refused call would have done', async () => {
    const { method, path, summary } = usersApi.list
    for (const id of [`${method} ${path}`, 'GET /gone'])
      await auditAlone(app.deps, { actor: null, action: 'access.denied', object: { type: 'call', id } })
    const { items } = (await listLog()).body
    expect(items.map(({ object }) => object?.name)).toEqual([null, summary])
  })

  it.each([{ startDate: 'yesterday' }, { area: 'gossip' }, { limit: 201 }, { skip: auditListMaximum + 1 }])(
    'rejects %j',
    async (query) => {
      expect((await listLog(query)).status).toBe(400)
    },
  )

  it('lists actor, action and object, newest first, and records the read', async () => {
    const user = await createUser(app.deps, { name: 'Old Name' })
    await app.call(usersApi.update, { as: system, params: { id: user.id }, body: { name: 'New Name' } })
    await app.call(settingsApi.update, {
      as: system,
      body: { twoFactorExpiryDays: 7, twoFactorExpiryEnabled: true },
    })
    const { body } = await listLog()
    expect(body.total).toBe(2)
    expect(body.items[1]).toMatchObject({
      actor: { _id: system.id, name: 'Sys Admin', email: system.email },
      action: 'user.renamed',
      object: { type: 'user', _id: user.id, name: 'Old Name' },
      result: 'ok',
      ip: '127.0.0.1',
      before: { name: 'Old Name' },
      after: { name: 'New Name' },
    })
    expect(await readActions({ area: 'people' })).toEqual(['user.renamed'])
    expect(await readActions()).toEqual(['audit.read', 'audit.read', 'settings.changed', 'user.renamed'])
  })

  it('filters by user, object, area, action, result and time', async () => {
    const user = await createUser(app.deps)
    await app.call(usersApi.list, { as: user })
    await writeEntries(1)
    await app.server.close()
    await app.close()
    app = await buildTestApp()
    system = await createAdmin(app.deps, { isSystemAdmin: true })
    const actor = { userId: 'p1', name: 'P', email: 'p@example.org', sessionId: null }
    const client = { ip: '', userAgent: '' }
    const startedAt = app.deps.now()
    await auditAlone(app.deps, { actor: { ...actor, client }, action: 'sign-in.ok' })
    app.advance(60_000)
    await auditAlone(app.deps, {
      actor: { ...actor, client },
      action: 'access.denied',
      object: { type: 'call', id: 'GET /users' },
      result: 'denied',
    })
    app.advance(60_000)
    await writeEntries(1)
    const denied = ['access.denied']
    expect(await readActions({ actorId: 'p1' })).toEqual(['access.denied', 'sign-in.ok'])
    expect(await readActions({ actorId: 'p1', area: 'access' })).toEqual(denied)
    expect(await readActions({ objectId: 'GET /users' })).toEqual(denied)
    expect(await readActions({ result: 'denied' })).toEqual(denied)
    expect(await readActions({ action: 'sign-in.ok' })).toEqual(['sign-in.ok'])
    const [startDate, endDate] = [startedAt + 30_000, startedAt + 90_000].map((time) =>
      new Date(time).toISOString(),
    )
    expect(await readActions({ startDate, endDate })).toEqual(denied)
  })

  it('pages through the log as of the first page', async () => {
    await writeEntries(5)
    const first = await listLog({ limit: 2 })
    const second = await listLog({ limit: 2, skip: 2, asOf: first.body.asOf })
    const third = await listLog({ limit: 2, skip: 4, asOf: first.body.asOf })
    const pages = [first, second, third].flatMap(({ body }) => body.items.map(({ after }) => after))
    expect(pages).toEqual([1, 2, 3, 4, 5].map((left) => ({ left })))
    expect(third.body.totalPages).toBe(3)
  })

  const results = [undefined, 'ok', 'denied'] as const
  const filterSets = results.flatMap((result) =>
    [undefined, 'call'].flatMap((objectId) =>
      [undefined, 'p1'].flatMap((actorId) =>
        [{}, { area: 'people' as const }, { action: 'user.renamed' as const }].map((kind) => ({
          ...(result && { result }),
          ...(objectId && { objectId }),
          ...(actorId && { actorId }),
          ...kind,
        })),
      ),
    ),
  )
  function getIndexName({ objectId, actorId, area, action }: Partial<EntryFilter>): string {
    return (
      [objectId && 'object', actorId && 'actor', area && 'area', action && 'action']
        .filter(Boolean)
        .join('_') || 'at'
    )
  }

  it.each(filterSets)('finds %j through one index range per result, without sorting', async (filters) => {
    const { db } = app.deps
    if (isPostgres(db as never)) return
    const filter = { from: 1, until: 2, asOf: 9, ...filters }
    for (const query of [
      selectKeyPage(db, filter, 50, 0),
      selectKeysAfter(db, filter, { at: 1, seq: 1 }, 500),
    ]) {
      const { sql: text } = query?.compile() ?? { sql: '' }
      const plan = sql<{ detail: string }>`${sql.raw(`explain query plan ${text.replaceAll('?', "'1'")}`)}`
      const steps = (await plan.execute(db)).rows.map(({ detail }) => detail)
      const searches = steps.filter((step) => /^(SEARCH|SCAN)/.test(step))
      expect(searches).toHaveLength('result' in filters ? 1 : 3)
      for (const step of searches)
        expect(step).toMatch(
          new RegExp(`COVERING INDEX audit_log_by_${getIndexName(filters)} \\(.*result=\\? AND`),
        )
      expect(steps.join()).not.toMatch(/TEMP B-TREE/)
    }
  })

  it('returns the same entries as a full scan for random filters', async () => {
    const client = { ip: '', userAgent: '' }
    const actors = ['p1', 'p2'].map((userId) => ({
      userId,
      name: userId,
      email: '',
      sessionId: null,
      client,
    }))
    const auditActions = ['user.renamed', 'access.denied', 'user.deleted'] as const
    await app.deps.db.transaction().execute(async (tx) => {
      for (let index = 0; index < 90; index += 1)
        await audit(app.deps, tx, {
          actor: actors[index % 2] ?? null,
          action: auditActions[index % 3] ?? 'user.renamed',
          object: { type: 'call', id: index % 5 === 0 ? 'call' : 'other' },
          result: index % 7 === 0 ? 'denied' : index % 11 === 0 ? 'failed' : 'ok',
        })
    })
    const all = await app.deps.db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').execute()
    for (const filters of [...filterSets, { area: 'people', action: 'access.denied' } as const]) {
      const filter = { from: null, until: null, asOf: all[9]?.seq ?? 0, ...filters }
      const { result, objectId, actorId, area, action } = filter as Partial<EntryFilter>
      const expected = all.filter(
        (row) =>
          row.seq <= filter.asOf &&
          [row.result, row.object_id, row.actor_id, row.area, row.action].every(
            (value, index) => value === ([result, objectId, actorId, area, action][index] ?? value),
          ),
      )
      expect(await listEntries(app.deps.db, filter, 200, 2)).toEqual(expected.slice(2))
      expect(await countEntries(app.deps.db, filter, 7)).toBe(Math.min(7, expected.length))
      const [oldest] = expected.slice(-1)
      if (oldest)
        expect(await listEntriesAfter(app.deps.db, filter, oldest, 200)).toEqual(
          expected.toReversed().slice(1),
        )
    }
  })
})

describe('GET /admin/audit-log/export', () => {
  function callExport(query: object, as = system) {
    return app.call(auditApi.export, { as, query: query as never })
  }

  it('requires canViewAuditLog', async () => {
    expect((await callExport({}, await createAdmin(app.deps))).status).toBe(403)
  })

  it('escapes spreadsheet formulas in CSV and records the export before sending it', async () => {
    const user = await createUser(app.deps, { name: '=1+1' })
    await app.call(usersApi.update, { as: system, params: { id: user.id }, body: { name: 'New, "Name"' } })
    const { bytes, headers, status } = await callExport({})
    const lines = bytes.toString('utf8').split('\r\n')
    expect([status, headers['content-type'], lines.length]).toEqual([200, 'text/csv; charset=utf-8', 3])
    expect(headers['content-disposition']).toContain('attachment; filename="audit-log-')
    expect(lines[0]).toMatch(/^time,person,email,action,/)
    expect(lines[1]).toContain(`,'=1+1,ok,127.0.0.1,`)
    expect(lines[1]).toContain('"{""name"":""New, \\""Name\\""""}"')
    expect(await readActions({ area: 'reading' })).toEqual(['audit.exported'])
  })

  it('exports all matching entries as JSON Lines, oldest first', { timeout: 60_000 }, async () => {
    await writeEntries(1203)
    const { bytes } = await callExport({ format: 'jsonl', area: 'channels' })
    const entries = bytes
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { after: { left: number } })
    expect(entries.map(({ after }) => after.left)).toEqual(
      Array.from({ length: 1203 }, (_, index) => 1203 - index),
    )
    expect((await verifyChain(app.deps.db)).fault).toBeNull()
  })

  it('does not support HEAD, which would generate the whole file', async () => {
    const { server } = app
    const response = await server.inject({
      method: 'HEAD',
      url: '/api/admin/audit-log/export',
      headers: { authorization: `Bearer ${system.token}` },
    })
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'GET'])
    expect(await readActions()).toEqual([])
  })

  it.each(['permission', 'session'])('aborts when the %s is lost', async (lost) => {
    await writeEntries(1203)
    const reader = await createAdmin(app.deps, { permissions: { canViewAuditLog: true } })
    const actor = await authenticate(app.deps, reader.token, { ip: '', userAgent: '' })
    if (!actor) throw new Error('the token is not valid')
    const recheck = createRecheck(
      { isStillAllowed: (...caller) => isStillAllowed(app.deps, ...caller), now: app.deps.now },
      actor,
      'canViewAuditLog',
    )
    const { content } = await exportLog(app.deps, actor, { format: 'jsonl' }, recheck)
    const chunks = (content as Readable)[Symbol.asyncIterator]()
    expect((await chunks.next()).done).toBe(false)
    const { db } = app.deps
    if (lost === 'session') await db.deleteFrom('sessions').where('user_id', '=', reader.id).execute()
    else
      await db.updateTable('users').set({ permission_overrides: null }).where('id', '=', reader.id).execute()
    app.advance(6_000)
    async function drain() {
      while (!(await chunks.next()).done);
    }
    await expect(drain()).rejects.toThrow('The permission for this file was revoked')
  })
})
