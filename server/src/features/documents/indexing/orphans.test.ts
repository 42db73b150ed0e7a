import { Readable } from 'node:stream'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  app.useFirstServer()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

async function cleanUp(as = admin) {
  return app.call(documentsApi.cleanupOrphaned, { as })
}

async function uploadApproved(name: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  await app.runJobs()
  return body._id
}

async function storeUnreferencedFile(content: string) {
  const { key } = await app.deps.files.put(Readable.from([Buffer.from(content)]))
  return key
}

describe('POST /documents/opensearch/cleanup-orphaned', () => {
  it('rejects callers without canManageDocuments', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageDocuments: false } })
    for (const as of [member, restrictedAdmin]) expect((await cleanUp(as)).status).toBe(403)
  })

  it('removes nothing when there are no orphans', async () => {
    const id = await uploadApproved('menu.txt', 'Soup on Monday.')
    app.advance(2 * 3_600_000)
    const { status, body } = await cleanUp()
    expect([status, body]).toEqual([
      200,
      {
        message: 'Removed 0 passages and 0 files (0 bytes) that belonged to no document',
        passages: 0,
        files: 0,
        bytes: 0,
      },
    ])
    expect((await app.call(documentsApi.download, { as: admin, params: { id } })).status).toBe(200)
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
  })

  it('removes passages of deleted documents and of abandoned builds', async () => {
    const deleted = await uploadApproved('deleted.txt', 'Soup on Monday.')
    const kept = await uploadApproved('kept.txt', 'Rice on Tuesday.')
    const drop = vi.spyOn(app.deps.passageIndex, 'drop').mockRejectedValueOnce(new Error('busy'))
    await app.call(documentsApi.remove, { as: admin, params: { id: deleted } })
    expect(drop).toHaveBeenCalledTimes(1)
    const row = await app.deps.db
      .selectFrom('passages')
      .selectAll()
      .where('document_id', '=', kept)
      .executeTakeFirstOrThrow()
    await app.deps.db
      .insertInto('passages')
      .values({ ...row, id: 'left-over', generation: 'abandoned' })
      .execute()
    const { body } = await cleanUp()
    expect(body).toMatchObject({ passages: 2, files: 0 })
    expect(await app.deps.db.selectFrom('passages').select('id').execute()).toEqual([{ id: row.id }])
    const indexed = await app.deps.passageIndex.generations('', 10)
    expect(indexed.map(({ documentId }) => documentId)).toEqual([kept])
  })

  it('keeps the passages of a build in progress', async () => {
    const id = await uploadApproved('menu.txt', 'Soup on Monday.')
    const row = await app.deps.db.selectFrom('passages').selectAll().executeTakeFirstOrThrow()
    await app.call(documentsApi.reindex, { as: admin, params: { id } })
    await app.deps.db
      .insertInto('passages')
      .values({ ...row, id: 'unfinished', generation: 'in-progress' })
      .execute()
    expect((await cleanUp()).body).toMatchObject({ passages: 0 })
    expect(await app.deps.db.selectFrom('passages').select('id').execute()).toHaveLength(2)
  })

  it('removes unreferenced files that are at least an hour old', async () => {
    // The age of a file is known by the clock of the system, or of the S3 server.
    app.advance(Date.now() - app.deps.now())
    admin = await createAdmin(app.deps)
    await uploadApproved('menu.txt', 'Soup on Monday.')
    const [orphan, wallpaper, background, removed] = await Promise.all(
      ['left over', 'wallpaper', 'background', 'removed'].map(storeUnreferencedFile),
    )
    const { db } = app.deps
    await db
      .updateTable('channels')
      .set({ wallpaper_file: wallpaper ?? null })
      .execute()
    await db
      .insertInto('settings')
      .values({ key: 'dashboardBackground', value: JSON.stringify({ fileKey: background }), updated_at: 0 })
      .execute()
    await db
      .insertInto('removed_files')
      .values({ file_key: removed ?? '', removed_at: app.deps.now() + 2 * 3_600_000 })
      .execute()
    expect((await cleanUp()).body).toMatchObject({ files: 0, bytes: 0 })
    app.advance(2 * 3_600_000)
    expect((await cleanUp()).body).toMatchObject({
      message: 'Removed 0 passages and 1 file (9 bytes) that belonged to no document',
      files: 1,
      bytes: 9,
    })
    expect(await app.deps.files.size(orphan ?? '')).toBeNull()
    for (const key of [wallpaper, background, removed])
      expect(await app.deps.files.size(key ?? '')).not.toBeNull()
  })
})
