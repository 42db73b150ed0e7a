import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { errors } from '@lyceum/contract/errors'
import { statusApi } from '@lyceum/contract/status'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type OpenSearchProxy, startOpenSearchProxy } from '#testing/opensearch-proxy.ts'
import { runCli } from '#testing/run-cli.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createAlias, deleteIndex, requireOpenSearch } from '#testing/test-opensearch.ts'
import { refusals } from './features/answering/strict.ts'

const question = 'When does the lighthouse open?'
const sentence = 'The lighthouse opens at nine in summer.'

let proxy: OpenSearchProxy
let alias: string
let app: TestApp
let admin: TestUser
let member: TestUser
let channelId: string
beforeEach(async () => {
  proxy = await startOpenSearchProxy(requireOpenSearch())
  alias = createAlias()
  app = await buildTestApp({ env: { OPENSEARCH_URL: proxy.url, OPENSEARCH_INDEX: alias } })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps, { strictDocumentsOnly: true })
  member = await createUser(app.deps, { channels: [channelId] })
})
afterEach(async () => {
  await app.close()
  await proxy.close()
  await deleteIndex(alias)
})

async function uploadApproved(name = 'lighthouse.txt', content = sentence): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  return body._id
}

/** Asks in a new chat of the strict channel. */
async function send(message: string) {
  const { body: chat } = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
  const params = { channelId, chatId: chat._id }
  return app.call(chatsApi.send, { as: member, params, body: { message } })
}

async function ask(message = question): Promise<string> {
  const { status, body } = await send(message)
  expect(status).toBe(200)
  return body.reply.content
}

/** Expects a refusal that says nothing about the documents, also in what is stored. */
async function expectRefusal(): Promise<void> {
  const { status, body } = await send(question)
  expect([status, body.code]).toEqual([503, 'search.unavailable'])
  const stored = await app.deps.db
    .selectFrom('messages')
    .select(['state', 'content', 'error'])
    .where('role', '=', 'assistant')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({ state: 'failed', content: '', error: 'search.unavailable' })
}

function tryQuestion() {
  return app.call(testQuestionsApi.try, { as: admin, params: { id: channelId }, body: { question } })
}

async function readIndexState(): Promise<string> {
  const { index_state } = await app.deps.db
    .selectFrom('document_versions')
    .select('index_state')
    .executeTakeFirstOrThrow()
  return index_state
}

async function readSearchStatus() {
  const { body } = await app.call(statusApi.get, { as: admin })
  return body.parts.find(({ part }) => part === 'search')
}

async function readReadiness() {
  const { status, body } = await app.raw({ method: 'GET', path: '/readyz' })
  return { status, search: (body as { parts: Record<string, string> }).parts['search'] }
}

describe('with OPENSEARCH_URL', () => {
  it('a document is found once it is approved, and no longer once it is deleted', async () => {
    const id = await uploadApproved()
    await app.runJobs()
    expect(await ask()).toContain(sentence)
    expect(await readSearchStatus()).toMatchObject({
      facts: expect.arrayContaining([{ kind: 'count', label: 'Documents in the index', value: 1 }]),
    })
    await app.call(documentsApi.remove, { as: admin, params: { id } })
    expect(await ask()).toBe(refusals.noDocuments)
    expect(await app.deps.passageIndex.generations('', 10)).toEqual([])
    expect(existsSync(join(app.deps.env.DATA_DIR, 'passages.db'))).toBe(false)
  })

  it('a question that the documents do not answer is answered with “not found”', async () => {
    await uploadApproved()
    await app.runJobs()
    expect(await ask('Who won the football championship?')).toBe(refusals.notFound)
  })
})

describe('while OpenSearch is away', () => {
  it('questions fail instead of being answered with “not found”, and work afterwards', async () => {
    await uploadApproved()
    await app.runJobs()
    proxy.fail('down')
    await expectRefusal()
    const tried = await tryQuestion()
    expect([tried.status, tried.body.code, tried.body.message]).toEqual([
      503,
      'search.unavailable',
      errors['search.unavailable'].message,
    ])
    expect(tried.headers['retry-after']).toBe('10')
    expect(await readReadiness()).toEqual({ status: 200, search: 'failed' })
    expect(await readSearchStatus()).toMatchObject({
      state: 'failing',
      words: expect.stringMatching(
        /^Questions about documents are refused\. OpenSearch at .* cannot be reached/,
      ),
    })
    const { body: tested } = await app.call(statusApi.test, { as: admin, params: { part: 'search' } })
    expect(tested.ok).toBe(false)
    proxy.recover()
    expect(await readReadiness()).toEqual({ status: 200, search: 'ok' })
    expect(await ask()).toContain(sentence)
  })

  it('a question is refused after two seconds without an answer', async () => {
    await uploadApproved()
    await app.runJobs()
    proxy.fail('silent')
    expect((await tryQuestion()).body.code).toBe('search.unavailable')
  })

  it('documents wait to be indexed, and are indexed afterwards', async () => {
    proxy.fail('down')
    await uploadApproved()
    // More attempts than a document gets that cannot be read.
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await app.runJobs()
      expect(await readIndexState()).toBe('waiting')
      app.advance(600_000)
    }
    proxy.recover()
    await app.runJobs()
    expect(await readIndexState()).toBe('ready')
    expect(await ask()).toContain(sentence)
  })

  it('a document that is deleted is not found, and later leaves the index', async () => {
    const id = await uploadApproved()
    await uploadApproved('museum.txt', 'The museum opens at ten.')
    await app.runJobs()
    proxy.fail('down')
    expect((await app.call(documentsApi.remove, { as: admin, params: { id } })).status).toBe(200)
    proxy.recover()
    expect(await ask()).not.toContain(sentence)
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(2)
    await app.call(documentsApi.cleanupOrphaned, { as: admin })
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
  })

  it('a reindexed document is ready although its earlier passages could not be deleted', async () => {
    const id = await uploadApproved()
    await app.runJobs()
    await app.call(documentsApi.reindex, { as: admin, params: { id } })
    const [earlier] = await app.deps.passageIndex.generations('', 10)
    const drop = app.deps.passageIndex.drop.bind(app.deps.passageIndex)
    app.deps.passageIndex.drop = async (ids) => {
      if (ids.includes(earlier?.id ?? '')) proxy.fail('down')
      await drop(ids)
    }
    await app.runJobs()
    proxy.recover()
    expect(await readIndexState()).toBe('ready')
    expect(await ask()).toContain(sentence)
  })
})

describe('after OpenSearch has lost its data', () => {
  it('questions fail until the index is filled again, which needs no restart', async () => {
    await uploadApproved()
    await app.runJobs()
    await deleteIndex(alias)
    for (let attempt = 1; attempt <= 2; attempt += 1) await expectRefusal()
    await app.runJobs()
    expect(await ask()).toContain(sentence)
  })
})

describe('lyceum doctor', () => {
  it('reports whether OpenSearch answers', async () => {
    await uploadApproved()
    await app.runJobs()
    const env = { DATA_DIR: app.folder, OPENSEARCH_URL: proxy.url, OPENSEARCH_INDEX: alias }
    const healthy = await runCli(['doctor'], env)
    expect(healthy.stdout).toMatch(
      /^ok {7}document search: OpenSearch answers, with 1 document in its index$/m,
    )
    proxy.fail('down')
    const broken = await runCli(['doctor'], env)
    expect(broken.stdout).toMatch(/^problem {2}document search: OpenSearch at .* cannot be reached/m)
    expect(broken.code).toBe(1)
  })
})
