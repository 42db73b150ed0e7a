import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { findPassages } from './retrieval.ts'

let app: TestApp
let admin: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp({ env: { SEARCH: 'postgres' } })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

async function upload(content: string): Promise<string> {
  const file = { name: 'lighthouse.txt', content }
  const { body } = await app.upload(documentsApi.upload, { as: admin, fields: { channelId }, file })
  return body._id
}

async function listFound(question: string): Promise<string[]> {
  const passages = await findPassages(app.deps, { channelId, question, limit: 8 })
  return passages.map(({ text }) => text)
}

describe('with SEARCH=postgres', () => {
  it('a document is found once it is approved, and no longer once it is deleted', async () => {
    const id = await upload('The lighthouse opens at nine.')
    await app.runJobs()
    expect(await listFound('When does the lighthouse open?')).toEqual([])
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.runJobs()
    expect(await listFound('When does the lighthouse open?')).toEqual(['The lighthouse opens at nine.'])
    await app.call(documentsApi.remove, { as: admin, params: { id } })
    await app.runJobs()
    expect(await listFound('When does the lighthouse open?')).toEqual([])
    expect(await app.deps.passageIndex.generations('', 10)).toEqual([])
  })

  it('the data folder has no index of passages', () => {
    expect(existsSync(join(app.deps.env.DATA_DIR, 'passages.db'))).toBe(false)
  })
})
