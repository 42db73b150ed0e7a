import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, describe, expect, it } from 'vitest'
import type { JobRunner } from '#jobs/runner.ts'
import { createTextExtractor, type ExtractorOptions } from '#providers/text-extraction/child-extractor.ts'
import { makeTextPdf } from '#providers/text-extraction/fixtures/make-pdf.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createWorker } from '../../../worker.ts'

/** Takes hours to read. */
const endlessPdf = makeTextPdf([[{ text: 'Tide tables', y: 700 }]], { endlessPages: [1] })

let app: TestApp
let admin: TestUser
let channelId: string
let worker: JobRunner

async function startApp(options: ExtractorOptions) {
  const textExtractor = createTextExtractor({ pageCpuMs: 300_000, ...options })
  app = await buildTestApp({ deps: { textExtractor } })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
  worker = createWorker(app.deps)
  app.deps.jobs.onAdded((name) => worker.wake(name))
  worker.start()
}
afterEach(async () => {
  await worker.stop()
  await app.deps.textExtractor.close()
  await app.close()
})

async function uploadAndApprove(name: string, content: Buffer | string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  return body._id
}

async function getState(id: string) {
  const { index } = (await app.call(documentsApi.get, { as: admin, params: { id } })).body
  return index.state
}

function listJobs() {
  return app.deps.db
    .selectFrom('jobs')
    .select(['name', 'state'])
    .where('name', 'like', 'documents.index%')
    .execute()
}

const isBeingReadSlowly = [{ name: 'documents.index-slow', state: 'running' }]

describe('a document that takes long to read', () => {
  it('is read beside the others after a short try', async () => {
    await startApp({ quickMs: 5000 })
    const slow = await uploadAndApprove('tides.pdf', endlessPdf)
    const next = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    await expect.poll(() => getState(next)).toBe('ready')
    await expect.poll(() => listJobs()).toEqual(isBeingReadSlowly)
    const last = await uploadAndApprove('lunch.txt', 'Fish on Friday.')
    await expect.poll(() => getState(last)).toBe('ready')
    expect(await getState(slow)).toBe('extracting')
  })

  it('becomes ready when it only needs more time than the short try', async () => {
    await startApp({ quickMs: 1 })
    const id = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    await expect.poll(() => getState(id)).toBe('ready')
  })

  it('is no longer read once it is deleted', async () => {
    await startApp({ quickMs: 300 })
    const id = await uploadAndApprove('tides.pdf', endlessPdf)
    await expect.poll(() => listJobs()).toEqual(isBeingReadSlowly)
    await app.call(documentsApi.remove, { as: admin, params: { id } })
    await expect.poll(() => listJobs()).toEqual([])
  })

  it('is no longer read once a newer version is approved', async () => {
    await startApp({ quickMs: 5000 })
    const id = await uploadAndApprove('tides.pdf', endlessPdf)
    await expect.poll(() => listJobs()).toEqual(isBeingReadSlowly)
    await app.upload(documentsApi.replace, {
      as: admin,
      params: { id },
      file: { name: 'tides.txt', content: 'High water at noon.' },
    })
    expect(await listJobs()).toEqual(isBeingReadSlowly)
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await expect.poll(() => listJobs()).toEqual([])
    expect(await getState(id)).toBe('ready')
  })
})
