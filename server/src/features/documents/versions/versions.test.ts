import { chatsApi } from '@lyceum/contract/chats'
import { type Document, type DocumentVersion, documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp, type TestResponse } from '#testing/test-app.ts'
import { findPassages } from '../retrieval/retrieval.ts'

let app: TestApp
let ada: TestUser
let ingrid: TestUser
let member: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  ada = await createAdmin(app.deps, { name: 'Ada' })
  ingrid = await createAdmin(app.deps, { name: 'Ingrid Solheim' })
  channelId = await createTestChannel(app.deps)
  member = await createUser(app.deps, { channels: [channelId] })
})
afterEach(() => app.close())

const firstText = 'The gate opens at six in the morning.'
const secondText = 'The gate opens at half past seven in the morning.'

async function upload(name = 'gate.txt', content = firstText): Promise<string> {
  const { status, body } = await app.upload(documentsApi.upload, {
    as: ada,
    fields: { channelId },
    file: { name, content },
  })
  expect(status).toBe(200)
  return body._id
}

interface ReplaceOptions {
  as?: TestUser
  name?: string
  content?: string
  headers?: Record<string, string>
}

function replace(
  id: string,
  { as = ada, name = 'gate-2.txt', content = secondText, headers = {} }: ReplaceOptions = {},
): Promise<TestResponse<Document>> {
  return app.upload(documentsApi.replace, { as, params: { id }, file: { name, content }, headers })
}

function decide(decision: 'approve' | 'reject', id: string, as = ada, version?: number) {
  return app.call(documentsApi[decision], { as, params: { id }, query: { version } })
}

async function uploadApproved(...args: Parameters<typeof upload>): Promise<string> {
  const id = await upload(...args)
  await decide('approve', id)
  await app.runJobs()
  return id
}

async function getDocument(id: string): Promise<Document> {
  return (await app.call(documentsApi.get, { as: ada, params: { id } })).body
}

async function listStates(id: string): Promise<string[]> {
  const { body } = await app.call(documentsApi.versions, { as: ada, params: { id } })
  return (body as DocumentVersion[]).map(({ number, state }) => `${number} ${state}`)
}

async function findAnswers(): Promise<string[]> {
  const found = await findPassages(app.deps, { channelId, question: 'When does the gate open?', limit: 8 })
  return found.map(({ text, version }) => `${version}: ${text}`)
}

function download(id: string, as: TestUser, version?: number) {
  return app.call(documentsApi.download, { as, params: { id }, query: { version } })
}

async function countStoredFiles(): Promise<number> {
  let files = 0
  for await (const _ of app.deps.files.list()) files += 1
  return files
}

describe('POST /documents/:id/versions', () => {
  it('rejects callers without canUploadDocuments, including members', async () => {
    const id = await upload()
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canUploadDocuments: false } })
    for (const as of [member, restrictedAdmin]) {
      const { status, body } = await replace(id, { as })
      expect([status, body.message]).toEqual([403, 'You do not have permission to upload documents'])
    }
    expect((await getDocument(id)).version).toEqual({ number: 1, count: 1 })
  })

  it('returns 404 for documents that do not exist or whose channel the caller may not see', async () => {
    const id = await upload()
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    expect((await replace('unknown')).status).toBe(404)
    expect((await replace(id, { as: restrictedAdmin })).status).toBe(404)
    expect(await countStoredFiles()).toBe(1)
  })

  it('applies the same rules to the new file as an upload', async () => {
    const id = await upload()
    const refused = [
      [{ name: 'gate.exe' }, 415, 'document.type'],
      [{ name: 'gate.pdf' }, 415, 'document.content'],
      [{ content: '' }, 400, 'document.empty'],
      [{ name: '../gate.txt' }, 400, 'document.name'],
    ] as const
    for (const [sent, status, code] of refused) {
      const { body, ...response } = await replace(id, sent)
      expect([response.status, body.code]).toEqual([status, code])
    }
    const withoutFile = await app.upload(documentsApi.replace, { as: ada, params: { id } })
    expect(withoutFile.body.code).toBe('document.missing_file')
    expect(await countStoredFiles()).toBe(1)
  })

  it('rejects content that the channel already has and names the document', async () => {
    const id = await uploadApproved()
    await upload('prices.txt', 'Bread costs four.')
    await replace(id)
    for (const [content, message] of [
      ['Bread costs four.', 'This channel already has a document with the same content: “prices.txt”.'],
      [firstText, 'This is the same file as the current version of “gate-2.txt”.'],
      [secondText, 'This is the same file as the current version of “gate-2.txt”.'],
    ]) {
      const { status, body } = await replace(id, { content: content ?? '' })
      expect([status, body.code, body.message]).toEqual([409, 'document.duplicate', message])
    }
    // Content that still answers must not be uploaded as a separate document either.
    const { body } = await app.upload(documentsApi.upload, {
      as: ada,
      fields: { channelId },
      file: { name: 'copy.txt', content: firstText },
    })
    expect(body.code).toBe('document.duplicate')
    expect(await countStoredFiles()).toBe(3)
  })

  it('adds a version to a pending document', async () => {
    const id = await upload()
    const { status, body } = await replace(id, { as: ingrid })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      _id: id,
      status: 'pending',
      originalName: 'gate-2.txt',
      fileSize: secondText.length,
      uploadedBy: { name: 'Ingrid Solheim' },
      version: { number: 2, count: 2 },
      answering: null,
    })
    expect(await listStates(id)).toEqual(['2 pending', '1 superseded'])
    expect((await download(id, ada)).bytes.toString()).toBe(secondText)
    expect((await download(id, ada, 1)).bytes.toString()).toBe(firstText)
  })

  it('makes a rejected document pending again', async () => {
    const id = await upload()
    await decide('reject', id)
    const { body } = await replace(id)
    expect(body).toMatchObject({ status: 'pending', rejectedBy: null, version: { number: 2, count: 2 } })
    expect(await listStates(id)).toEqual(['2 pending', '1 rejected'])
    await decide('approve', id)
    await app.runJobs()
    expect(await findAnswers()).toEqual([`2: ${secondText}`])
  })

  it('answers from the approved version until the new one is approved and indexed', async () => {
    const id = await uploadApproved()
    const before = await getDocument(id)
    const { body } = await replace(id)
    expect(body).toMatchObject({
      status: 'pending',
      approvedBy: null,
      version: { number: 2 },
      answering: { number: 1 },
      index: { state: 'none', answers: true },
    })
    expect(await findAnswers()).toEqual([`1: ${firstText}`])
    await decide('approve', id, ingrid)
    expect(await getDocument(id)).toMatchObject({ status: 'approved', answering: { number: 1 } })
    expect(await listStates(id)).toEqual(['2 approved', '1 answering'])
    expect(await findAnswers()).toEqual([`1: ${firstText}`])
    await app.runJobs()
    expect(await findAnswers()).toEqual([`2: ${secondText}`])
    expect(await listStates(id)).toEqual(['2 answering', '1 superseded'])
    const after = await getDocument(id)
    expect(after).toMatchObject({ approvedBy: { name: 'Ingrid Solheim' }, answering: { number: 2 } })
    expect(after.createdAt).toBe(before.createdAt)
  })

  it('makes an approved version answer after indexing, even if a newer one is pending', async () => {
    const id = await upload()
    await decide('approve', id)
    await replace(id)
    await app.runJobs()
    expect(await getDocument(id)).toMatchObject({ status: 'pending', answering: { number: 1 } })
    expect(await findAnswers()).toEqual([`1: ${firstText}`])
  })

  it('creates one version per Idempotency-Key, even after the document has changed', async () => {
    const id = await upload()
    const other = await upload('other.txt', 'Something else.')
    const headers = { 'idempotency-key': 'replace-key-0001' }
    const responses = await Promise.all([replace(id, { headers }), replace(id, { headers })])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    await decide('approve', id)
    const again = await replace(id, { headers })
    expect(again.body).toMatchObject({ status: 'approved', version: { number: 2, count: 2 } })
    expect((await replace(other, { headers, content: 'Quite another.' })).body._id).toBe(other)
    expect(await countStoredFiles()).toBe(4)
  })

  it('accepts only one of two concurrent replacements of the same version', async () => {
    const id = await upload()
    const responses = await Promise.all(
      ['a', 'b'].map((name) => replace(id, { name: `${name}.txt`, content: `Words of ${name}.` })),
    )
    const { version } = await getDocument(id)
    const accepted = responses.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(version.count - 1)
    for (const { status, body } of responses.filter((response) => !accepted.includes(response)))
      expect([status, body.code, body.message]).toEqual([
        409,
        'document.replaced',
        expect.stringMatching(/^Ada replaced this document with version \d\./),
      ])
    expect(await countStoredFiles()).toBe(version.count)
  })
})

describe('a decision about a version', () => {
  it('is refused if the version was replaced since the caller saw it', async () => {
    const id = await upload()
    await replace(id, { as: ingrid })
    for (const decision of ['approve', 'reject'] as const) {
      const { status, body } = await decide(decision, id, ada, 1)
      expect([status, body.code, body.message]).toEqual([
        409,
        'document.replaced',
        'Ingrid Solheim replaced this document with version 2. Review that version first.',
      ])
    }
    expect((await getDocument(id)).status).toBe('pending')
    expect((await decide('approve', id, ada, 2)).status).toBe(200)
  })

  it('never approves a version that the caller has not seen, even during a concurrent replacement', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await upload(`gate-${round}.txt`, `${firstText} ${round}`)
      const [decided, replaced] = await Promise.all([
        decide('approve', id, ingrid, 1),
        replace(id, { content: `${secondText} ${round}` }),
      ])
      const { body } = await app.call(documentsApi.versions, { as: ada, params: { id } })
      const [newest] = body
      if (replaced.status === 200) expect([newest?.number, newest?.state]).toEqual([2, 'pending'])
      else {
        expect(replaced.body.message).toMatch(/^This document was already approved by Ingrid Solheim on /)
        expect([newest?.number, newest?.state, decided.status]).toEqual([1, 'approved', 200])
      }
      if (decided.status !== 200)
        expect([decided.status, decided.body.code]).toEqual([409, 'document.replaced'])
    }
  })

  it('restores the previously approved version after a rejection and releases the file', async () => {
    const id = await uploadApproved()
    const before = await getDocument(id)
    await replace(id)
    const { status, body } = await decide('reject', id, ingrid)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, version: { number: 1, count: 2 } })
    expect(await findAnswers()).toEqual([`1: ${firstText}`])
    const { body: versions } = await app.call(documentsApi.versions, { as: ada, params: { id } })
    expect(versions).toMatchObject([
      { number: 2, state: 'rejected', decidedBy: { name: 'Ingrid Solheim' }, isKept: false },
      { number: 1, state: 'answering', isKept: true },
    ])
    const gone = await download(id, ada, 2)
    expect([gone.status, gone.bytes.toString()]).toEqual([
      404,
      expect.stringContaining('document.version_released'),
    ])
    const late = await decide('approve', id)
    expect(late.body.message).toMatch(/^This document was already rejected by Ingrid Solheim on /)
    app.advance(26 * 3_600_000)
    await app.runJobs()
    expect(await countStoredFiles()).toBe(1)
  })

  it('continues the numbering after a rejected version', async () => {
    const id = await uploadApproved()
    await replace(id)
    await decide('reject', id)
    const { body } = await replace(id)
    expect(body).toMatchObject({ status: 'pending', version: { number: 3, count: 3 } })
  })
})

describe('GET /documents/:id/versions', () => {
  it('rejects callers without canManageDocuments, and returns 404 for an unknown document', async () => {
    const id = await upload()
    expect((await app.call(documentsApi.versions, { as: member, params: { id } })).status).toBe(403)
    expect((await app.call(documentsApi.versions, { as: ada, params: { id: 'unknown' } })).status).toBe(404)
  })

  it('returns the uploader and the upload time of each version', async () => {
    const id = await upload()
    app.advance(1000)
    await replace(id, { as: ingrid })
    const { body } = await app.call(documentsApi.versions, { as: ada, params: { id } })
    expect(body).toMatchObject([
      { number: 2, originalName: 'gate-2.txt', fileType: 'txt', uploadedBy: { name: 'Ingrid Solheim' } },
      { number: 1, originalName: 'gate.txt', fileSize: firstText.length, uploadedBy: { name: 'Ada' } },
    ])
    expect(Date.parse(body[0]?.createdAt ?? '')).toBeGreaterThan(Date.parse(body[1]?.createdAt ?? ''))
  })
})

describe('reindexing while a newer version is pending', () => {
  function reindex(id: string) {
    return app.call(documentsApi.reindex, { as: ada, params: { id } })
  }
  async function readIndexes(id: string) {
    const { body } = await app.call(documentsApi.versions, { as: ada, params: { id } })
    return body.map(({ number, index }) => [number, index?.state])
  }

  it('is refused if no version was approved', async () => {
    const id = await upload()
    await replace(id)
    expect((await reindex(id)).body.code).toBe('document.not_approved')
    expect(await readIndexes(id)).toEqual([
      [2, undefined],
      [1, undefined],
    ])
    expect(await app.deps.jobs.count('waiting')).toBe(0)
  })

  it('builds the approved version and leaves the pending one alone', async () => {
    const id = await uploadApproved()
    expect(await readIndexes(id)).toEqual([[1, undefined]])
    await replace(id)
    await app.deps.db.updateTable('document_versions').set({ index_state: 'failed' }).execute()
    await app.deps.db.updateTable('documents').set({ generation: null, answering_version_id: null }).execute()
    await app.deps.db.deleteFrom('passages').execute()
    expect(await findAnswers()).toEqual([])
    const { status, body } = await reindex(id)
    expect([status, body.status, body.version.number]).toEqual([200, 'pending', 2])
    expect(await readIndexes(id)).toEqual([
      [2, undefined],
      [1, 'waiting'],
    ])
    await app.runJobs()
    expect(await readIndexes(id)).toEqual([
      [2, undefined],
      [1, 'ready'],
    ])
    expect(await findAnswers()).toEqual([`1: ${firstText}`])
    expect(await getDocument(id)).toMatchObject({ status: 'pending', answering: { number: 1 } })
    const { after } = await app.deps.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'document.reindexed')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(after ?? '')).toMatchObject({ version: 1 })
  })

  it('ends without effect when the pending version is approved meanwhile', async () => {
    const id = await uploadApproved()
    await replace(id)
    await reindex(id)
    await decide('approve', id)
    await app.runJobs()
    expect(await findAnswers()).toEqual([`2: ${secondText}`])
    expect(await listStates(id)).toEqual(['2 answering', '1 superseded'])
  })
})

describe('the version of a document that members read', () => {
  function getText(id: string, as: TestUser, version?: number) {
    return app.call(documentsApi.text, { as, params: { id }, query: { version } })
  }

  it('is the answering one, never a pending or rejected one', async () => {
    const id = await uploadApproved()
    await replace(id)
    expect((await download(id, member)).bytes.toString()).toBe(firstText)
    expect((await download(id, member, 2)).status).toBe(404)
    expect((await getText(id, member, 2)).status).toBe(404)
    await decide('reject', id)
    expect((await download(id, member, 2)).status).toBe(404)
    expect((await getText(id, member)).body.pages.map((page) => page.text)).toEqual([firstText])
  })

  it('can be an earlier one that was in use before, because citations link to it', async () => {
    const id = await uploadApproved()
    await replace(id)
    await decide('approve', id)
    await app.runJobs()
    expect((await getText(id, member, 1)).body.pages.map((page) => page.text)).toEqual([firstText])
    expect((await getText(id, member)).body.pages.map((page) => page.text)).toEqual([secondText])
    expect((await download(id, member, 1)).bytes.toString()).toBe(firstText)
    const stranger = await createUser(app.deps)
    expect((await getText(id, stranger, 1)).status).toBe(404)
  })

  it('is never one that was replaced before it was approved', async () => {
    const id = await upload()
    await replace(id)
    await decide('approve', id)
    await app.runJobs()
    expect((await download(id, member, 1)).status).toBe(404)
    expect((await download(id, member, 2)).bytes.toString()).toBe(secondText)
  })
})

describe('a citation', () => {
  it('opens the cited version and says if another one answers now', async () => {
    const id = await uploadApproved()
    const { body: chat } = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
    const params = { channelId, chatId: chat._id }
    await app.call(chatsApi.send, {
      as: member,
      params,
      body: { message: 'When does the gate open in the morning?' },
    })
    async function getCitation() {
      const { body } = await app.call(chatsApi.get, { as: member, params })
      return body.messages.flatMap(({ citations = [] }) => citations)[0]
    }
    expect(await getCitation()).toMatchObject({
      documentId: id,
      version: 1,
      available: true,
      isOutdated: false,
    })
    await replace(id)
    expect(await getCitation()).toMatchObject({ available: true, isOutdated: false })
    await decide('approve', id)
    await app.runJobs()
    const old = await getCitation()
    expect(old).toMatchObject({ version: 1, available: true, isOutdated: true })
    const { body } = await app.call(documentsApi.text, {
      as: member,
      params: { id },
      query: { version: old?.version },
    })
    expect(body.pages[0]?.text.slice(old?.charStart, old?.charEnd)).toBe(old?.quote)
    expect(old?.quote).toContain('six in the morning')
  })
})

describe('a document with versions', () => {
  it('is deleted with all rows, passages and files', async () => {
    const id = await uploadApproved()
    await replace(id)
    await app.call(documentsApi.remove, { as: ada, params: { id } })
    for (const table of ['documents', 'document_versions', 'passages'] as const)
      expect(await app.deps.db.selectFrom(table).selectAll().execute()).toEqual([])
    expect(await findAnswers()).toEqual([])
    app.advance(26 * 3_600_000)
    await app.runJobs()
    expect(await countStoredFiles()).toBe(0)
  })

  it('keeps all its files and passages during an orphan clean-up', async () => {
    const id = await uploadApproved()
    await replace(id)
    await decide('approve', id)
    await app.runJobs()
    await replace(id, { content: 'The gate stays shut.' })
    app.advance(2 * 3_600_000)
    const { body } = await app.call(documentsApi.cleanupOrphaned, { as: ada })
    expect(body).toMatchObject({ passages: 0, files: 0 })
    expect(await findAnswers()).toEqual([`2: ${secondText}`])
    expect(await countStoredFiles()).toBe(3)
  })
})
