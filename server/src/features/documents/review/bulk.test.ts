import { type BulkAction, type Document, documentsApi } from '@lyceum/contract/documents'
import type { Permission } from '@lyceum/contract/permissions'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

vi.setConfig({ testTimeout: 60_000 })

let app: TestApp
let ada: TestUser
let ingrid: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  ada = await createAdmin(app.deps, { name: 'Ada' })
  ingrid = await createAdmin(app.deps, { name: 'Ingrid Solheim' })
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

async function upload(name: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: ada,
    fields: { channelId, title: name },
    file: { name, content: `Words of ${name}.` },
  })
  return body._id
}

async function uploadThree(): Promise<string[]> {
  const ids: string[] = []
  for (const name of ['a.txt', 'b.txt', 'c.txt']) ids.push(await upload(name))
  return ids
}

function runBulkAction(action: BulkAction, ids: string[], as = ada, versions?: number[]) {
  return app.call(documentsApi.bulk, { as, body: { action, ids, ...(versions ? { versions } : {}) } })
}

async function listStatuses(): Promise<string[]> {
  const { body } = await app.call(documentsApi.list, { as: ada })
  return (body as Document[]).map(({ status }) => status)
}

describe('POST /documents/bulk', () => {
  const guarded: [BulkAction, Permission, string][] = [
    ['approve', 'canApproveDocuments', 'approve documents'],
    ['reject', 'canRejectDocuments', 'reject documents'],
    ['undo-reject', 'canRejectDocuments', 'reject documents'],
    ['reindex', 'canReindexDocuments', 'reindex documents'],
    ['delete', 'canDeleteDocuments', 'delete documents'],
  ]
  it.each(guarded)(
    'rejects %s without canManageDocuments or without %s',
    async (action, permission, description) => {
      const ids = await uploadThree()
      const member = await createUser(app.deps, { channels: [channelId] })
      const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageDocuments: false } })
      for (const as of [member, restrictedAdmin])
        expect((await runBulkAction(action, ids, as)).body.message).toBe(
          'You do not have permission to manage documents',
        )
      const adminWithout = await createAdmin(app.deps, { permissions: { [permission]: false } })
      const { status, body } = await runBulkAction(action, ids, adminWithout)
      expect([status, body.message]).toEqual([403, `You do not have permission to ${description}`])
      expect(await listStatuses()).toEqual(['pending', 'pending', 'pending'])
    },
  )

  it('accepts 1 to 200 documents and a known action', async () => {
    const bodies = [
      { action: 'approve', ids: [] },
      { action: 'approve', ids: Array.from({ length: 201 }, (_, i) => `${i}`) },
      { action: 'publish', ids: ['a'] },
      { action: 'approve', ids: ['a', 'b'], versions: [1] },
      { action: 'approve', ids: ['a'], reason: 'Outdated' },
      { action: 'reject', ids: ['a'], reason: 'x'.repeat(501) },
    ]
    for (const body of bodies)
      expect((await app.call(documentsApi.bulk, { as: ada, body: body as never })).status).toBe(400)
    const most = await runBulkAction(
      'approve',
      Array.from({ length: 200 }, (_, i) => `unknown-${i}`),
    )
    expect([most.status, most.body.refused.length]).toEqual([200, 200])
  })

  it('processes each document separately and gives the reason for each refusal', async () => {
    const [a = '', b = '', c = ''] = await uploadThree()
    await app.call(documentsApi.reject, { as: ingrid, params: { id: b } })
    const { status, body } = await runBulkAction('approve', [a, b, 'unknown', c, a])
    expect(status).toBe(200)
    expect(body.done).toEqual([a, c])
    expect(body.refused).toEqual([
      {
        _id: b,
        title: 'b.txt',
        message: expect.stringMatching(/^This document was already rejected by Ingrid Solheim on /),
      },
      {
        _id: 'unknown',
        title: null,
        message: 'Not found. It may have been deleted, or you do not have access.',
      },
    ])
    expect(await app.deps.jobs.count('waiting')).toBe(2)
    await app.runJobs()
    const reindexed = await runBulkAction('reindex', [a, b])
    expect([reindexed.body.done, reindexed.body.refused.map(({ message }) => message)]).toEqual([
      [a],
      ['Only an approved document can be reindexed'],
    ])
    expect((await runBulkAction('delete', [a, b, c])).body).toEqual({ done: [a, b, c], refused: [] })
    expect(await listStatuses()).toEqual([])
  })

  it('audits exactly the denials that single calls would have audited', async () => {
    const [one = ''] = await uploadThree()
    function listDenials() {
      return app.deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'access.denied').execute()
    }
    await runBulkAction('approve', [one])
    await runBulkAction('approve', [one])
    expect(await listDenials()).toEqual([])
    const unknownIds = Array.from({ length: 25 }, (_, index) => `unknown-${index}`)
    expect((await runBulkAction('delete', [...unknownIds, one])).body.done).toEqual([one])
    const [entry, ...more] = await listDenials()
    expect(more).toEqual([])
    expect(entry).toMatchObject({ actor_id: ada.id, object_id: 'DELETE /documents/:id', result: 'denied' })
    const { status, count, id } = JSON.parse(entry?.after ?? '')
    expect([status, count, id.split(', ')]).toEqual([404, 25, unknownIds.slice(0, 20)])
  })

  it('rejects with one reason, and undoes each rejection that was the caller’s own', async () => {
    const [a = '', b = '', c = ''] = await uploadThree()
    await app.call(documentsApi.reject, { as: ingrid, params: { id: b } })
    const rejected = await app.call(documentsApi.bulk, {
      as: ada,
      body: { action: 'reject', ids: [a, c], reason: 'Outdated' },
    })
    expect(rejected.body).toEqual({ done: [a, c], refused: [] })
    const { body: listed } = await app.call(documentsApi.list, { as: ada })
    expect((listed as Document[]).map(({ rejectionReason }) => rejectionReason)).toEqual([
      'Outdated',
      null,
      'Outdated',
    ])
    const { body } = await runBulkAction('undo-reject', [a, b, c], ada, [1, 1, 1])
    expect(body).toEqual({
      done: [a, c],
      refused: [
        {
          _id: b,
          title: 'b.txt',
          message: 'Another administrator rejected this document. Only they can undo it.',
        },
      ],
    })
    expect(await listStatuses()).toEqual(['pending', 'rejected', 'pending'])
  })

  it('refuses documents that were replaced since the caller saw them', async () => {
    const [a = '', b = ''] = await uploadThree()
    await app.upload(documentsApi.replace, {
      as: ingrid,
      params: { id: a },
      file: { name: 'a2.txt', content: 'New words.' },
    })
    const { body } = await runBulkAction('approve', [a, b], ada, [1, 1])
    expect(body.done).toEqual([b])
    expect(body.refused[0]?.message).toBe(
      'Ingrid Solheim replaced this document with version 2. Review that version first.',
    )
  })

  it('lets only one of two concurrent administrators decide each document and tells the other who did', async () => {
    const ids: string[] = []
    for (let i = 0; i < 8; i++) ids.push(await upload(`${i}.txt`))
    const [first, second] = await Promise.all([
      runBulkAction('approve', ids, ada),
      runBulkAction('reject', ids.toReversed(), ingrid),
    ])
    expect([...first.body.done, ...second.body.done].toSorted()).toEqual(ids.toSorted())
    for (const { message } of first.body.refused)
      expect(message).toMatch(/already rejected by Ingrid Solheim/)
    for (const { message } of second.body.refused) expect(message).toMatch(/already approved by Ada/)
    expect((await listStatuses()).filter((status) => status === 'approved')).toHaveLength(
      first.body.done.length,
    )
    expect(await app.deps.jobs.count('waiting')).toBe(first.body.done.length)
  })
})
