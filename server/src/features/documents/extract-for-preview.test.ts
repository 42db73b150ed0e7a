import { readFile } from 'node:fs/promises'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDocxMembers, makeZip } from '#providers/text-extraction/fixtures/make-zip.ts'
import { ExtractionError, TooSlowError } from '#providers/text-extraction/port.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { findPassages, hasAnswerableDocuments } from './retrieval/retrieval.ts'

let app: TestApp
let admin: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

async function upload(name = 'menu.txt', content: Buffer | string = `Words of ${name}.`): Promise<string> {
  const { status, body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  expect(status).toBe(200)
  return body._id
}

function readSample(name: string): Promise<Buffer> {
  return readFile(new URL(`../../testing/documents/${name}`, import.meta.url))
}

function getText(id: string, as = admin, query: { start?: number; version?: number } = {}) {
  return app.call(documentsApi.text, { as, params: { id }, query })
}

async function getRefusal(id: string, as = admin) {
  const { status, body } = await getText(id, as)
  return [status, (body as { code?: string }).code]
}

function joinPages({ pages }: { pages: readonly { text: string }[] }): string {
  return pages.map(({ text }) => text).join('')
}

describe('GET /documents/:id/text of a version that was never indexed', () => {
  it('reads nothing for members, strangers and administrators who may not preview', async () => {
    const extract = vi.spyOn(app.deps.textExtractor, 'extract')
    const pending = await upload()
    const rejected = await upload('rejected.txt')
    await app.call(documentsApi.reject, { as: admin, params: { id: rejected } })
    const member = await createUser(app.deps, { channels: [channelId] })
    const stranger = await createUser(app.deps)
    const neither = await createAdmin(app.deps, {
      permissions: { canPreviewDocuments: false, canDownloadDocuments: false },
      channels: [channelId],
    })
    for (const id of [pending, rejected]) {
      for (const as of [member, stranger]) expect(await getRefusal(id, as)).toEqual([404, 'not_found'])
      expect(await getRefusal(id, neither)).toEqual([403, 'permission.denied'])
    }
    expect(await getRefusal('unknown')).toEqual([404, 'not_found'])
    expect((await getText(pending, admin, { version: 2 })).status).toBe(404)
    expect(extract).not.toHaveBeenCalled()
  })

  it('has no pages for members after the approval, until it is indexed', async () => {
    const extract = vi.spyOn(app.deps.textExtractor, 'extract')
    const member = await createUser(app.deps, { channels: [channelId] })
    const id = await upload()
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    const { status, body } = await getText(id, member)
    expect([status, body.pages, body.total]).toEqual([200, [], 0])
    expect(extract).not.toHaveBeenCalled()
    expect(joinPages((await getText(id)).body)).toBe('Words of menu.txt.')
  })

  it.each([
    [
      'a damaged file',
      'lease.docx',
      makeZip(createDocxMembers('<w:p><w:unclosed>')),
      'This document is damaged and could not be read.',
    ],
    ['a file without text', 'blank.txt', '  \n \n', 'No text was found in this document.'],
  ])('says why %s cannot be read', async (_, name, content, message) => {
    const { status, body } = await getText(await upload(name, content))
    expect([status, body]).toMatchObject([
      422,
      { code: 'attachment.unreadable', message: expect.stringContaining(message) },
    ])
  })

  it.each([
    [new TooSlowError(), 'Reading this document takes too long for a preview.'],
    [new ExtractionError('out_of_memory'), 'Reading this document took too much memory and was stopped.'],
  ])('says which limit was reached', async (error, message) => {
    vi.spyOn(app.deps.textExtractor, 'extract').mockRejectedValue(error)
    const { status, body } = await getText(await upload())
    expect([status, body]).toMatchObject([422, { code: 'attachment.unreadable', message }])
  })

  it('reads one file at a time and refuses when eight others wait', async () => {
    const id = await upload()
    const release = Promise.withResolvers<void>()
    const { extract } = app.deps.textExtractor
    let running = 0
    let most = 0
    vi.spyOn(app.deps.textExtractor, 'extract').mockImplementation(async (request) => {
      most = Math.max(most, ++running)
      await release.promise
      return await extract(request).finally(() => running--)
    })
    const requests = Array.from({ length: 10 }, () => getText(id))
    const refused = await Promise.race(requests)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    release.resolve()
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 9 }, () => 200), 503])
    expect(most).toBe(1)
    expect((await getText(id)).status).toBe(200)
  })

  it.each([
    ['travel-policy.docx', /Norway/],
    ['safety.doc', /flagpole/],
    ['menu.txt', /Amadou Keita/],
    ['handbook.pdf', /extension 4911/],
  ])('reads %s while it is pending, and after it was rejected', async (name, expected) => {
    const id = await upload(name, await readSample(name))
    const { status, body } = await getText(id)
    expect(status).toBe(200)
    expect(joinPages(body)).toMatch(expected)
    expect(body.total).toBe(joinPages(body).length)
    expect(body.blocks?.length).toBeGreaterThan(0)
    const rest = (await getText(id, admin, { start: 40 })).body
    expect(joinPages(rest)).toBe(joinPages(body).slice(40))
    await app.call(documentsApi.reject, { as: admin, params: { id } })
    expect((await getText(id)).body).toEqual(body)
  })

  it('is the same text as after the indexing', async () => {
    const id = await upload('travel-policy.docx', await readSample('travel-policy.docx'))
    const { body } = await getText(id)
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.runJobs()
    const extract = vi.spyOn(app.deps.textExtractor, 'extract')
    expect((await getText(id)).body).toEqual(body)
    expect(extract).not.toHaveBeenCalled()
  })

  it('is not stored, found or shown to members', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    const id = await upload('menu.txt', 'The vault code of the lighthouse is heron-42.')
    await getText(id)
    await app.runJobs()
    const rows = await app.deps.db.selectFrom('document_versions').select(['text', 'blocks']).execute()
    expect(rows).toEqual([{ text: null, blocks: null }])
    expect(await hasAnswerableDocuments(app.deps, channelId)).toBe(false)
    const question = 'vault code of the lighthouse'
    expect(await findPassages(app.deps, { channelId, question, limit: 8 })).toEqual([])
    expect(await getRefusal(id, member)).toEqual([404, 'not_found'])
  })
})
