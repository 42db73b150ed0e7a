import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { computeMinimumFree } from '#files/disk-space.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { maxDocumentsPerChannel } from './upload.ts'

const folder = new URL('../../../testing/documents/', import.meta.url)
const fixtures = new URL('../../../providers/text-extraction/fixtures/', import.meta.url)

let app: TestApp
let admin: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

interface UploadOptions {
  name?: string
  content?: Buffer | string
  as?: TestUser
  fields?: Record<string, string>
  headers?: Record<string, string>
}

function upload({
  name = 'notes.txt',
  content = 'Some notes.',
  as = admin,
  fields,
  headers = {},
}: UploadOptions) {
  return app.upload(documentsApi.upload, {
    as,
    fields: fields ?? { channelId },
    file: { name, content },
    headers,
  })
}

/** Lists the file keys in the database and on disk. */
async function listStoredFiles() {
  const files: string[] = []
  for await (const { key } of app.deps.files.list()) files.push(key)
  const rows = await app.deps.db.selectFrom('document_versions').select('file_key').execute()
  return { files, rows: rows.map(({ file_key }) => file_key) }
}

const noFiles = { files: [], rows: [] }

describe('POST /documents', () => {
  it('rejects callers without canUploadDocuments', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canUploadDocuments: false } })
    for (const as of [member, restrictedAdmin]) {
      const { status, body } = await upload({ as })
      expect([status, body.message]).toEqual([403, 'You do not have permission to upload documents'])
    }
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('returns 404 for channels that do not exist or that the caller may not see', async () => {
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    for (const [as, id] of [
      [admin, 'unknown'],
      [restrictedAdmin, channelId],
    ] as const) {
      const { status, body } = await upload({ as, fields: { channelId: id } })
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('allows a member to upload without canManageChannels', async () => {
    const as = await createAdmin(app.deps, {
      permissions: { canManageChannels: false },
      channels: [channelId],
    })
    expect((await upload({ as })).status).toBe(200)
  })

  it('rejects channels with a ready-made assistant', async () => {
    const assistant = await createTestChannel(app.deps, { useAssistant: true, openaiAssistantId: 'asst_1' })
    const { status, body } = await upload({ fields: { channelId: assistant } })
    expect([status, body.message]).toEqual([409, 'Ready-made assistant channels do not use documents'])
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it.each([
    ['program.exe', 'MZ', 415, 'Only PDF, DOC, DOCX and TXT files can be uploaded.'],
    ['no-extension', 'text', 415, 'Only PDF, DOC, DOCX and TXT files can be uploaded.'],
    ['picture.pdf', '\u0089PNG', 415, 'This file is not a PDF.'],
    ['letter.docx', 'PK\u0003\u0004', 415, 'This file is damaged or not a DOCX.'],
    ['letter.doc', 'not a letter', 415, 'This file is damaged or not a DOC.'],
    ['binary.txt', 'a\u0000b', 415, 'This file is not plain text.'],
    ['empty.pdf', '', 400, 'The file is empty.'],
    [`${'x'.repeat(296)}.txt`, 'text', 400, 'The file name is too long or contains invalid characters'],
    ['../x.txt', 'text', 400, 'The file name is too long or contains invalid characters'],
    ['C:\\x.txt', 'text', 400, 'The file name is too long or contains invalid characters'],
    ['invoice\u202efdp.txt', 'text', 400, 'The file name is too long or contains invalid characters'],
    ['big.txt', 'x'.repeat(10 * 1024 * 1024 + 1), 413, 'A text file can have at most 10 MB'],
    ['huge.txt', 'x'.repeat(25 * 1024 * 1024), 413, 'This file is too large. At most 20 MB can be uploaded.'],
  ])('rejects %s and stores nothing', async (name, content, status, message) => {
    const response = await upload({ name, content })
    expect(response.status).toBe(status)
    expect(response.body.message).toContain(message)
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('rejects a request without a file or without a channel', async () => {
    const noFile = await app.upload(documentsApi.upload, { as: admin, fields: { channelId } })
    expect([noFile.status, noFile.body.message]).toEqual([400, 'Please choose a file to upload'])
    const noChannel = await upload({ fields: {} })
    expect([noChannel.status, noChannel.body.code]).toEqual([400, 'validation.failed'])
    expect(noChannel.body.fields).toHaveProperty('channelId')
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('rejects content that the channel already has and names the document', async () => {
    await upload({ name: 'first.txt', content: 'the same words' })
    const { status, body } = await upload({ name: 'second.txt', content: 'the same words' })
    expect([status, body.code]).toEqual([409, 'document.duplicate'])
    expect(body.message).toContain('“first.txt”')
    const { files, rows } = await listStoredFiles()
    expect(files).toEqual(rows)
    const elsewhere = await createTestChannel(app.deps)
    expect((await upload({ content: 'the same words', fields: { channelId: elsewhere } })).status).toBe(200)
  })

  it('accepts only one of two concurrent uploads of the same content', async () => {
    const responses = await Promise.all([upload({ name: 'a.txt' }), upload({ name: 'b.txt' })])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const { files, rows } = await listStoredFiles()
    expect(rows).toHaveLength(1)
    expect(files).toEqual(rows)
  })

  it('rejects an upload when the channel has reached its document limit', async () => {
    function createRow(index: number) {
      return {
        id: `document-${index}`,
        channel_id: channelId,
        title: 'x',
        description: '',
        original_name: 'x.txt',
        status: 'pending' as const,
        version_id: `version-${index}`,
        generation: null,
        uploaded_by: null,
        reviewed_by: null,
        reviewed_at: null,
        idempotency_key: null,
        created_at: 0,
        updated_at: 0,
      }
    }
    for (let start = 0; start < maxDocumentsPerChannel; start += 500)
      await app.deps.db
        .insertInto('documents')
        .values(Array.from({ length: 500 }, (_, step) => createRow(start + step)))
        .execute()
    const { status, body } = await upload({})
    expect([status, body.message]).toEqual([409, 'This channel has reached its document limit'])
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('rejects an upload when the disk is nearly full', async () => {
    // Files in a bucket only pass through the disk, so they need less of it.
    const bavail = app.deps.env.S3_BUCKET === undefined ? 100_000 : 1000
    const statfs = vi.spyOn(fs, 'statfsSync')
    statfs.mockReturnValueOnce({ bsize: 4096, blocks: 1_000_000, bavail } as never)
    syncBuiltinESMExports()
    try {
      const { status, body } = await upload({})
      expect([status, body.code]).toEqual([507, 'storage.full'])
    } finally {
      statfs.mockRestore()
      syncBuiltinESMExports()
    }
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('rejects an upload when the disk fills up while the file is written', async () => {
    app.useFirstServer()
    const put = vi.spyOn(app.deps.files, 'put')
    put.mockRejectedValueOnce(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
    expect((await upload({})).status).toBe(507)
  })

  it('deletes the file when the row cannot be written', async () => {
    app.useFirstServer()
    vi.spyOn(app.deps.db, 'transaction').mockImplementationOnce(() => {
      throw new Error('the row cannot be written')
    })
    const { status, body } = await upload({})
    expect([status, body.code]).toEqual([500, 'internal'])
    expect(await listStoredFiles()).toEqual(noFiles)
  })

  it('stores the file unchanged as a pending document with its own name and type', async () => {
    const content = await readFile(new URL('handbook.pdf', folder))
    const { status, body } = await upload({
      name: 'handbook.pdf',
      content,
      fields: {
        channelId,
        title: '',
        description: 'Uploaded from channel management by admin',
        status: 'approved',
      },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'handbook.pdf',
      description: 'Uploaded from channel management by admin',
      originalName: 'handbook.pdf',
      mimeType: 'application/pdf',
      fileType: 'pdf',
      fileSize: content.length,
      status: 'pending',
      channel: { _id: channelId },
      uploadedBy: { _id: admin.id, name: admin.name },
      approvedBy: null,
      approvedAt: null,
      index: { state: 'none', percent: 0, reason: null, answers: false, passages: null },
    })
    const { files, rows } = await listStoredFiles()
    expect(files).toEqual(rows)
    const row = await app.deps.db.selectFrom('document_versions').selectAll().executeTakeFirstOrThrow()
    expect(row.sha256).toBe(createHash('sha256').update(content).digest('hex'))
    expect(await app.deps.jobs.count('waiting')).toBe(0)
  })

  it.each(['travel-policy.docx', 'safety.doc', 'menu.txt'])('accepts %s', async (name) => {
    const { status, body } = await upload({ name, content: await readFile(new URL(name, folder)) })
    expect([status, body.fileType]).toEqual([200, name.split('.').at(-1)])
  })

  it('accepts a file whose defects only extraction can detect', async () => {
    const content = await readFile(new URL('scanned.pdf', fixtures))
    expect((await upload({ name: 'scanned.pdf', content })).status).toBe(200)
  })

  it('returns the first result for the same Idempotency-Key of the same user', async () => {
    const headers = { 'idempotency-key': 'upload-0001' }
    const first = await upload({ headers })
    const again = await upload({ headers })
    expect([again.status, again.body._id]).toEqual([200, first.body._id])
    const other = await createAdmin(app.deps)
    const theirs = await upload({ headers, as: other, name: 'other.txt', content: 'Other notes.' })
    expect(theirs.body._id).not.toBe(first.body._id)
    const { files, rows } = await listStoredFiles()
    expect(files.sort()).toEqual(rows.sort())
    expect(rows).toHaveLength(2)
  })

  it('creates one document per Idempotency-Key, even with concurrent requests to two channels', async () => {
    const headers = { 'idempotency-key': 'upload-0002' }
    const elsewhere = await createTestChannel(app.deps)
    const responses = await Promise.all([
      upload({ headers }),
      upload({ headers, fields: { channelId: elsewhere } }),
    ])
    expect(new Set(responses.map(({ body }) => body._id)).size).toBe(1)
    const { files, rows } = await listStoredFiles()
    expect(rows).toHaveLength(1)
    expect(files).toEqual(rows)
  })
})

describe('computeMinimumFree', () => {
  it('is 512 MiB or 5% of a large disk', () => {
    expect(computeMinimumFree(1024 ** 3)).toBe(512 * 1024 ** 2)
    expect(computeMinimumFree(1024 ** 4)).toBe(1024 ** 4 / 20)
  })
})
