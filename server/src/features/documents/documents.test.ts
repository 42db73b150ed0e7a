import { readFile } from 'node:fs/promises'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import type { Permission } from '@lyceum/contract/permissions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { name: 'Ada' })
  channelId = await createTestChannel(app.deps, { name: 'Canteen' })
})
afterEach(() => app.close())

async function upload(
  name = 'menu.txt',
  content: Buffer | string = `Words of ${name}.`,
  intoChannel = channelId,
) {
  const { status, body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId: intoChannel },
    file: { name, content },
  })
  expect(status).toBe(200)
  return body
}

async function uploadApproved(...args: Parameters<typeof upload>): Promise<Document> {
  const { _id } = await upload(...args)
  await app.call(documentsApi.approve, { as: admin, params: { id: _id } })
  await app.runJobs()
  return (await app.call(documentsApi.get, { as: admin, params: { id: _id } })).body
}

function createAdminWithout(permission: Permission) {
  return createAdmin(app.deps, { permissions: { [permission]: false } })
}

const guarded = [
  ['GET /documents/:id', documentsApi.get, 'canManageDocuments', 'manage documents'],
  ['PUT /documents/:id/approve', documentsApi.approve, 'canApproveDocuments', 'approve documents'],
  ['PUT /documents/:id/reject', documentsApi.reject, 'canRejectDocuments', 'reject documents'],
  ['POST /documents/:id/reject/undo', documentsApi.undoReject, 'canRejectDocuments', 'reject documents'],
  ['POST /documents/:id/reindex', documentsApi.reindex, 'canReindexDocuments', 'reindex documents'],
  ['DELETE /documents/:id', documentsApi.remove, 'canDeleteDocuments', 'delete documents'],
] as const

describe.each(guarded)('%s', (_, endpoint, permission, action) => {
  it(`rejects callers without ${permission}, including members`, async () => {
    const { _id } = await upload()
    const member = await createUser(app.deps, { channels: [channelId] })
    for (const as of [member, await createAdminWithout(permission)]) {
      const { status, body } = await app.call(endpoint, { as, params: { id: _id } })
      expect([status, body.message]).toEqual([403, `You do not have permission to ${action}`])
    }
    const { body } = await app.call(documentsApi.get, { as: admin, params: { id: _id } })
    expect(body.status).toBe('pending')
  })

  it('returns 404 for an unknown document', async () => {
    const { status, body } = await app.call(endpoint, { as: admin, params: { id: 'unknown' } })
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})

describe('GET /documents', () => {
  it('rejects callers without canManageDocuments', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    for (const as of [member, await createAdminWithout('canManageDocuments')])
      expect((await app.call(documentsApi.list, { as })).status).toBe(403)
  })

  it('lists documents newest first and filters by status, channel, uploader and name', async () => {
    const other = await createTestChannel(app.deps)
    const menu = await upload('menu.txt')
    app.advance(1000)
    const prices = await upload('prices_100%.txt')
    app.advance(1000)
    const rules = await upload('Ärger.txt', 'Other rules.', other)
    await app.call(documentsApi.reject, { as: admin, params: { id: menu._id } })
    async function listIds(query: object) {
      const { body } = await app.call(documentsApi.list, { as: admin, query })
      return (body as Document[]).map(({ _id }) => _id)
    }
    expect(await listIds({})).toEqual([rules._id, prices._id, menu._id])
    expect(await listIds({ status: 'rejected' })).toEqual([menu._id])
    expect(await listIds({ status: 'pending', channelId })).toEqual([prices._id])
    expect(await listIds({ status: 'pending', uploaderId: rules.uploadedBy._id })).toEqual([
      rules._id,
      prices._id,
    ])
    expect(await listIds({ uploaderId: 'nobody' })).toEqual([])
    expect(await listIds({ search: 'MENU' })).toEqual([menu._id])
    expect(await listIds({ search: '0%' })).toEqual([prices._id])
    expect(await listIds({ search: 's_1' })).toEqual([prices._id])
    expect(await listIds({ search: 'e_u' })).toEqual([])
    expect(await listIds({ search: 'Ärger' })).toEqual([rules._id])
    expect(
      (await app.call(documentsApi.list, { as: admin, query: { status: 'gone' as never } })).status,
    ).toBe(400)
  })

  it('lists only documents whose current version could not be indexed', async () => {
    const [failed, ready] = [await upload('failed.txt'), await upload('ready.txt')]
    for (const { _id: id } of [failed, ready])
      await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.deps.db
      .updateTable('document_versions')
      .set({ index_state: 'failed' })
      .where('document_id', '=', failed._id)
      .execute()
    const query = { status: 'approved' as const, index: 'failed' as const }
    const { body } = await app.call(documentsApi.list, { as: admin, query: { ...query, limit: 10 } })
    expect(body).toMatchObject({ total: 1, items: [{ _id: failed._id }] })
    const { status } = await app.call(documentsApi.list, { as: admin, query: { index: 'ready' as never } })
    expect(status).toBe(400)
  })

  it('returns a page when a limit is given', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await upload(name)
    const { body } = await app.call(documentsApi.list, { as: admin, query: { limit: 2, skip: 2 } })
    expect(body).toMatchObject({ total: 3, totalPages: 2, items: [{ originalName: 'a.txt' }] })
  })
})

describe('PUT /documents/:id/approve', () => {
  it('records the approver and the time, and indexes the document', async () => {
    const { _id } = await upload()
    const { status, body } = await app.call(documentsApi.approve, { as: admin, params: { id: _id } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'approved',
      approvedBy: { _id: admin.id, name: 'Ada' },
      rejectedBy: null,
      index: { state: 'waiting' },
    })
    expect(Date.parse(body.approvedAt ?? '')).toBeGreaterThan(0)
    expect(await app.deps.jobs.count('waiting')).toBe(1)
    await app.runJobs()
    const ready = await app.call(documentsApi.get, { as: admin, params: { id: _id } })
    expect(ready.body.index).toMatchObject({ state: 'ready', percent: 100, attempts: 1, answers: true })
  })

  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const)('rejects a second decision after %s and says who decided and when', async (first, decided) => {
    const { _id } = await upload()
    const expected = new RegExp(`^This document was already ${decided} by Ada on \\d.* at \\d\\d:\\d\\d UTC$`)
    await app.call(documentsApi[first], { as: admin, params: { id: _id } })
    for (const second of ['approve', 'reject'] as const) {
      const { status, body } = await app.call(documentsApi[second], { as: admin, params: { id: _id } })
      expect([status, body.code, body.message]).toEqual([
        409,
        'document.not_pending',
        expect.stringMatching(expected),
      ])
    }
    const { body } = await app.call(documentsApi.get, { as: admin, params: { id: _id } })
    expect(body.status).toBe(decided)
  })

  it('accepts only one of several concurrent decisions', async () => {
    const { _id } = await upload()
    const decisions = ['approve', 'reject', 'approve', 'reject'] as const
    const responses = await Promise.all(
      decisions.map((decision) => app.call(documentsApi[decision], { as: admin, params: { id: _id } })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const winner = responses.find(({ status }) => status === 200)
    const { body } = await app.call(documentsApi.get, { as: admin, params: { id: _id } })
    expect(body.status).toBe(winner?.body.status)
    expect(await app.deps.jobs.count('waiting')).toBe(body.status === 'approved' ? 1 : 0)
  })
})

describe('PUT /documents/:id/reject', () => {
  it('records who rejected it and indexes nothing', async () => {
    const { _id } = await upload()
    const { body } = await app.call(documentsApi.reject, { as: admin, params: { id: _id } })
    expect(body).toMatchObject({
      status: 'rejected',
      rejectedBy: { name: 'Ada' },
      approvedBy: null,
      index: { state: 'none' },
    })
    expect(await app.deps.jobs.count('waiting')).toBe(0)
  })
})

describe('POST /documents/:id/reindex', () => {
  it('rejects documents that are not approved', async () => {
    const pending = await upload('a.txt')
    const rejected = await upload('b.txt')
    await app.call(documentsApi.reject, { as: admin, params: { id: rejected._id } })
    for (const id of [pending._id, rejected._id]) {
      const { status, body } = await app.call(documentsApi.reindex, { as: admin, params: { id } })
      expect([status, body.message]).toEqual([409, 'Only an approved document can be reindexed'])
    }
  })

  it('answers from the current index until the new one is ready, and ignores repeated requests', async () => {
    const document = await uploadApproved()
    for (const _ of [1, 2]) {
      const { status, body } = await app.call(documentsApi.reindex, {
        as: admin,
        params: { id: document._id },
      })
      expect(status).toBe(200)
      expect(body.index).toMatchObject({ state: 'waiting', answers: true, passages: 1 })
    }
    expect(await app.deps.jobs.count('waiting')).toBe(1)
    await app.runJobs()
    const { body } = await app.call(documentsApi.get, { as: admin, params: { id: document._id } })
    expect(body.index).toMatchObject({ state: 'ready', answers: true, passages: 1 })
  })
})

describe('GET /documents/:id/download', () => {
  it('serves members only the approved documents of their own channels', async () => {
    const document = await uploadApproved()
    const pending = await upload('pending.txt')
    const rejected = await upload('rejected.txt')
    await app.call(documentsApi.reject, { as: admin, params: { id: rejected._id } })
    const member = await createUser(app.deps, { channels: [channelId] })
    const stranger = await createUser(app.deps)
    async function getStatus(as: TestUser, id: string) {
      return (await app.call(documentsApi.download, { as, params: { id } })).status
    }
    expect(await getStatus(member, document._id)).toBe(200)
    for (const id of [pending._id, rejected._id, 'unknown']) expect(await getStatus(member, id)).toBe(404)
    expect(await getStatus(stranger, document._id)).toBe(404)
  })

  it('requires canDownloadDocuments or canPreviewDocuments from administrators who are not members', async () => {
    const document = await uploadApproved()
    async function getResponse(permissions: Partial<Record<Permission, boolean>>, channels: string[] = []) {
      const as = await createAdmin(app.deps, { permissions, channels })
      const { status, body } = await app.call(documentsApi.download, { as, params: { id: document._id } })
      return [status, (body as { code?: string }).code]
    }
    const neither = { canDownloadDocuments: false, canPreviewDocuments: false }
    expect(await getResponse(neither)).toEqual([403, 'permission.denied'])
    expect(await getResponse({ ...neither, canManageDocuments: false })).toEqual([404, 'not_found'])
    expect(await getResponse(neither, [channelId])).toEqual([200, undefined])
    expect(await getResponse({ canDownloadDocuments: false })).toEqual([200, undefined])
    expect(await getResponse({ canPreviewDocuments: false })).toEqual([200, undefined])
  })

  it('sends the exact bytes as an attachment with the original name and the detected type', async () => {
    const content = await readFile(new URL('../../testing/documents/handbook.pdf', import.meta.url))
    const { _id } = await upload('Händbuch (1).pdf', content)
    const { status, headers, bytes } = await app.call(documentsApi.download, {
      as: admin,
      params: { id: _id },
    })
    expect(status).toBe(200)
    expect(bytes.equals(content)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(content.length),
      'cache-control': 'private, no-store',
    })
    expect(headers['content-disposition']).toContain("filename*=UTF-8''H%C3%A4ndbuch%20%281%29.pdf")
  })
})

describe('GET /documents/:id/text', () => {
  it('applies the same access rules as the download', async () => {
    const document = await uploadApproved()
    const member = await createUser(app.deps, { channels: [channelId] })
    const stranger = await createUser(app.deps)
    async function getStatus(as: TestUser) {
      return (await app.call(documentsApi.text, { as, params: { id: document._id } })).status
    }
    expect([await getStatus(member), await getStatus(stranger)]).toEqual([200, 404])
  })

  it('returns the headings, lists and tables of a text without pages', async () => {
    const content = '# Menu\n\n- Soup\n- Bread\n\nDish\tPrice\nSoup\t4 euros\nBread\t2 euros\n'
    const { _id } = await uploadApproved('menu.txt', Buffer.from(content))
    const { body } = await app.call(documentsApi.text, { as: admin, params: { id: _id } })
    const text = body.pages.map((page) => page.text).join('')
    expect(body.blocks?.map(({ kind, level, start, end }) => [kind, level, text.slice(start, end)])).toEqual([
      ['heading', 1, 'Menu'],
      ['list', undefined, '- Soup\n- Bread'],
      ['table', undefined, 'Dish: Soup | Price: 4 euros\nDish: Bread | Price: 2 euros'],
    ])
  })

  it('returns the text by page, optionally from an offset', async () => {
    const content = await readFile(new URL('../../testing/documents/handbook.pdf', import.meta.url))
    const { _id, index } = await uploadApproved('handbook.pdf', content)
    const { body } = await app.call(documentsApi.text, { as: admin, params: { id: _id } })
    expect(index.pages).toBeGreaterThan(1)
    expect(body.pages.map(({ page }) => page)).toEqual(
      Array.from({ length: index.pages ?? 0 }, (_, index) => index + 1),
    )
    const whole = body.pages.map(({ text }) => text).join('')
    expect(whole).toHaveLength(body.total)
    const rest = await app.call(documentsApi.text, { as: admin, params: { id: _id }, query: { start: 100 } })
    expect(rest.body.pages.map(({ text }) => text).join('')).toBe(whole.slice(100))
    expect(rest.body.pages[0]).toMatchObject({ page: 1, start: 100 })
  })
})

describe('DELETE /documents/:id', () => {
  it('deletes the document, its text and its passages at once and its file a day later', async () => {
    const document = await uploadApproved()
    const { file_key } = await app.deps.db
      .selectFrom('document_versions')
      .select('file_key')
      .executeTakeFirstOrThrow()
    const response = await app.call(documentsApi.remove, { as: admin, params: { id: document._id } })
    expect([response.status, response.body]).toEqual([200, { message: '“menu.txt” was deleted' }])
    for (const endpoint of [documentsApi.get, documentsApi.download, documentsApi.text, documentsApi.remove])
      expect((await app.call(endpoint, { as: admin, params: { id: document._id } })).status).toBe(404)
    for (const table of ['documents', 'document_versions', 'passages'] as const)
      expect(await app.deps.db.selectFrom(table).select('id').execute()).toEqual([])
    expect(await app.deps.passageIndex.generations('', 10)).toEqual([])
    await app.runJobs()
    expect(await app.deps.files.size(file_key)).not.toBeNull()
    app.advance(25 * 3_600_000)
    await app.runJobs()
    expect(await app.deps.files.size(file_key)).toBeNull()
    expect(await app.deps.db.selectFrom('removed_files').selectAll().execute()).toEqual([])
  })

  it('allows the same content to be uploaded again', async () => {
    const { _id } = await upload()
    await app.call(documentsApi.remove, { as: admin, params: { id: _id } })
    expect((await upload())._id).not.toBe(_id)
  })
})
