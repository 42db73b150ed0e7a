import { type Document, documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

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

async function upload(name = 'gate.txt', content = 'The gate opens at six.'): Promise<string> {
  const { status, body } = await app.upload(documentsApi.upload, {
    as: ada,
    fields: { channelId },
    file: { name, content },
  })
  expect(status).toBe(200)
  return body._id
}

function replace(id: string, content = 'The gate opens at seven.') {
  return app.upload(documentsApi.replace, {
    as: ada,
    params: { id },
    file: { name: 'gate-2.txt', content },
  })
}

/** A document whose second version is pending while the first one answers. */
async function uploadReplaced(): Promise<string> {
  const id = await upload()
  await app.call(documentsApi.approve, { as: ada, params: { id } })
  await app.runJobs()
  expect((await replace(id)).status).toBe(200)
  return id
}

function reject(id: string, reason?: string, as = ada) {
  return app.call(documentsApi.reject, { as, params: { id }, body: { reason } })
}

function undo(id: string, as = ada, version?: number) {
  return app.call(documentsApi.undoReject, { as, params: { id }, query: { version } })
}

async function getDocument(id: string): Promise<Document> {
  return (await app.call(documentsApi.get, { as: ada, params: { id } })).body
}

async function readRows() {
  const { db } = app.deps
  const documents = await db.selectFrom('documents').selectAll().orderBy('id').execute()
  return {
    documents: documents.map(({ updated_at, ...row }) => row),
    versions: await db.selectFrom('document_versions').selectAll().orderBy('id').execute(),
    removedFiles: await db.selectFrom('removed_files').selectAll().execute(),
  }
}

async function listEntries(id: string) {
  const rows = await app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('object_id', '=', id)
    .where('action', 'in', ['document.rejected', 'document.rejection-undone'])
    .orderBy('seq')
    .execute()
  return rows.map(({ action, before, after }) => [
    action,
    before && JSON.parse(before),
    after && JSON.parse(after),
  ])
}

describe('PUT /documents/:id/reject with a reason', () => {
  it('refuses a reason of more than 500 characters', async () => {
    const id = await upload()
    const { status, body } = await reject(id, 'x'.repeat(501))
    expect([status, body.code, body.fields]).toEqual([
      400,
      'validation.failed',
      { reason: 'At most 500 characters' },
    ])
    expect(await getDocument(id)).toMatchObject({ status: 'pending', rejectionReason: null })
  })

  it('stores it as trimmed plain text without invisible characters, and audits it', async () => {
    const id = await upload()
    const { body } = await reject(id, '  Outdated.\u202e\u0000\nSee <b>gate</b>. ')
    const reason = 'Outdated.\nSee <b>gate</b>.'
    expect(body).toMatchObject({ status: 'rejected', rejectionReason: reason })
    const { body: versions } = await app.call(documentsApi.versions, { as: ada, params: { id } })
    expect(versions).toMatchObject([{ state: 'rejected', rejectionReason: reason }])
    expect(await listEntries(id)).toEqual([['document.rejected', null, { channelId, version: 1, reason }]])
  })

  it('treats a blank reason as none, and needs no body', async () => {
    const blank = await upload()
    expect((await reject(blank, ' \u200b\n')).body).toMatchObject({
      status: 'rejected',
      rejectionReason: null,
    })
    const bare = await upload('other.txt', 'Other words.')
    const { status, body } = await app.call(documentsApi.reject, { as: ada, params: { id: bare } })
    expect([status, body.rejectionReason]).toEqual([200, null])
    expect(await listEntries(bare)).toEqual([['document.rejected', null, { channelId, version: 1 }]])
  })

  it('keeps the reason with the rejected version once a new one is uploaded', async () => {
    const id = await upload()
    await reject(id, 'Outdated')
    expect((await replace(id)).body).toMatchObject({ status: 'pending', rejectionReason: null })
    const { body: versions } = await app.call(documentsApi.versions, { as: ada, params: { id } })
    expect(versions.map(({ rejectionReason }) => rejectionReason)).toEqual([null, 'Outdated'])
  })
})

describe('POST /documents/:id/reject/undo', () => {
  async function expectRefusal(id: string, code: string, as = ada, version?: number) {
    const before = await readRows()
    const { status, body } = await undo(id, as, version)
    expect([status, body.code]).toEqual([409, code])
    expect(await readRows()).toEqual(before)
  }

  it('refuses documents that are not rejected', async () => {
    const id = await upload()
    await expectRefusal(id, 'document.not_rejected')
    await reject(id)
    await replace(id)
    await expectRefusal(id, 'document.not_rejected')
    await app.call(documentsApi.approve, { as: ada, params: { id } })
    await expectRefusal(id, 'document.not_rejected')
  })

  it('refuses a rejection by another administrator or of another version', async () => {
    const id = await upload()
    await reject(id, 'Outdated', ingrid)
    await expectRefusal(id, 'document.rejected_by_other')
    await expectRefusal(id, 'document.not_rejected', ingrid, 2)
    expect((await undo(id, ingrid, 1)).status).toBe(200)
  })

  it('refuses after two minutes', async () => {
    const id = await upload()
    await reject(id)
    app.advance(2 * 60_000 + 1)
    await expectRefusal(id, 'document.undo_expired')
  })

  it('refuses when the same file was uploaded meanwhile', async () => {
    const id = await uploadReplaced()
    await reject(id)
    await upload('copy.txt', 'The gate opens at seven.')
    await expectRefusal(id, 'document.duplicate')
  })

  it('makes a document pending again exactly as it was, and audits it', async () => {
    const id = await upload()
    const before = await readRows()
    const shown = await getDocument(id)
    await reject(id, 'Outdated')
    app.advance(60_000)
    const { status, body } = await undo(id)
    expect([status, body]).toEqual([200, shown])
    expect(await readRows()).toEqual(before)
    expect((await listEntries(id)).at(-1)).toEqual([
      'document.rejection-undone',
      { reason: 'Outdated' },
      { channelId, version: 1 },
    ])
    expect((await reject(id, undefined, ingrid)).body).toMatchObject({
      status: 'rejected',
      rejectionReason: null,
      rejectedBy: { name: 'Ingrid Solheim' },
    })
  })

  it('brings back a new version together with its file, and the approved one keeps answering', async () => {
    const id = await uploadReplaced()
    const before = await readRows()
    const shown = await getDocument(id)
    const { body: rejected } = await reject(id, 'Not final')
    expect(rejected).toMatchObject({ status: 'approved', version: { number: 1, count: 2 } })
    expect((await readRows()).removedFiles).toHaveLength(1)
    expect((await undo(id, ada, 2)).body).toEqual(shown)
    expect(await readRows()).toEqual(before)
    app.advance(26 * 3_600_000)
    await app.runJobs()
    const as = await createAdmin(app.deps)
    const { bytes } = await app.call(documentsApi.download, { as, params: { id }, query: { version: 2 } })
    expect(bytes.toString()).toBe('The gate opens at seven.')
  })

  it('succeeds once when requested twice at the same time', async () => {
    const id = await uploadReplaced()
    await reject(id)
    const responses = await Promise.all([undo(id), undo(id)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await getDocument(id)).status).toBe('pending')
  })

  it('never loses a replacement that is uploaded at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await upload(`${round}.txt`, `Words of round ${round}.`)
      await reject(id)
      const [undone, replaced] = await Promise.all([undo(id), replace(id, `Newer words of round ${round}.`)])
      expect((await getDocument(id)).version.number).toBe(replaced.status === 200 ? 2 : 1)
      for (const { status, body } of [undone, replaced].filter((response) => response.status !== 200))
        expect([status, body.code, body.message]).toEqual([
          409,
          'document.not_rejected',
          'This document is no longer rejected',
        ])
      expect((await getDocument(id)).status).toBe('pending')
    }
  })

  it('shows the proposer the reason, and no more after the undo', async () => {
    const open = await createTestChannel(app.deps, { allowProposals: true })
    const member = await createUser(app.deps, { channels: [open] })
    const params = { id: open }
    const { body: own } = await app.upload(documentsApi.propose, {
      as: member,
      params,
      file: { name: 'bus.txt', content: 'The bus leaves at six.' },
    })
    async function getProposal() {
      return (await app.call(documentsApi.proposals, { as: member, params })).body[0]
    }
    await reject(own._id, 'We have this already')
    expect(await getProposal()).toMatchObject({ status: 'rejected', rejectionReason: 'We have this already' })
    expect((await undo(own._id, member)).status).toBe(403)
    await undo(own._id)
    expect(await getProposal()).toMatchObject({ status: 'pending', decidedAt: null, rejectionReason: null })
  })
})
