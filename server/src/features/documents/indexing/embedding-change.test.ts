import { connectionsApi, type EmbeddingsConnectionInput } from '@lyceum/contract/connections'
import { documentsApi } from '@lyceum/contract/documents'
import { overviewApi } from '@lyceum/contract/overview'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SearchUnavailable } from '#providers/passage-index/port.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { queueIndexCompletion } from '../jobs.ts'
import { findPassages } from '../retrieval/retrieval.ts'

const minute = 60_000
const hour = 60 * minute

let app: TestApp
let admin: TestUser
let channelId: string
let earlier: ModelStandIn
let next: ModelStandIn
beforeEach(async () => {
  earlier = await startModelStandIn()
  next = await startModelStandIn({ behavior: { on: 'embeddings', dimensions: 64 } })
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  channelId = await createTestChannel(app.deps)
  await useServer(earlier)
  for (const number of [1, 2, 3])
    await addDocument(`rule-${number}.txt`, `The brass rule number ${number} is kept in drawer ${number}.`)
  await app.runJobs()
  earlier.reset()
})
afterEach(async () => {
  await app.close()
  await earlier.close()
  await next.close()
})

async function useServer({ url }: ModelStandIn, changes: Partial<EmbeddingsConnectionInput> = {}) {
  const prefixes = { queryPrefix: '', passagePrefix: '' }
  const body = {
    baseUrl: url,
    apiKey: 'sesame-1234567890',
    model: `model at ${url}`.replaceAll(' ', '-'),
    ...prefixes,
    ...changes,
  }
  expect((await app.call(connectionsApi.setEmbeddings, { as: admin, body })).status).toBe(200)
}

async function addDocument(name: string, content: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  return body._id
}

/** What is embedded: questions end in a question mark. */
function listTexts({ requests }: ModelStandIn, kind: 'questions' | 'passages'): string[] {
  return requests
    .flatMap(({ body }) => body['input'] as string[])
    .filter((text) => text !== 'Ready?' && text.endsWith('?') === (kind === 'questions'))
}

async function search() {
  const [best] = await findPassages(app.deps, {
    channelId,
    question: 'Which brass rule is number 2?',
    limit: 5,
  })
  return { isRight: best?.text.includes('number 2'), byMeaning: best?.meaningRank != null }
}

async function readStatus() {
  const { parts } = (await app.call(statusApi.get, { as: admin })).body
  const found = parts.find(({ part }) => part === 'embeddings')
  return { state: found?.state, words: found?.words ?? '', remedy: found?.remedy }
}

async function countStored(): Promise<number> {
  return (await app.deps.db.selectFrom('embeddings').select('text_hash').execute()).length
}

/** Runs the jobs until this many documents have got new vectors, as if the server was then killed. */
async function runUntilDocument(count: number): Promise<void> {
  const { faults } = app.workerDeps
  const { reach } = faults
  let left = count
  faults.reach = (name) => {
    if (name === 'embeddings.document') left -= 1
    if (left === 0) throw new Error('killed')
    reach(name)
  }
  await app.runJobs()
  faults.reach = reach
}

describe('another embedding model', () => {
  it('gets all documents by itself, while the earlier one answers', async () => {
    await useServer(next)
    await runUntilDocument(2)
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
    expect([listTexts(earlier, 'questions').length, listTexts(next, 'questions').length]).toEqual([1, 0])
    const during = await readStatus()
    expect(during.state).toBe('attention')
    expect(during.words).toMatch(/2 of 3 done\. Until then, model-at-.* is used for search\.$/)
    expect(await countStored()).toBe(5)

    app.advance(minute)
    await app.runJobs()
    expect(listTexts(next, 'passages')).toHaveLength(3)
    expect(await readStatus()).toMatchObject({ state: 'ok' })
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
    expect([listTexts(earlier, 'questions').length, listTexts(next, 'questions').length]).toEqual([1, 1])
    expect(listTexts(earlier, 'passages')).toEqual([])
    expect(await countStored()).toBe(3)
  })

  it('leaves search to keywords if the earlier one is down', async () => {
    await useServer(next)
    await runUntilDocument(1)
    earlier.always({ on: 'embeddings', fault: { kind: 'reset' } })
    expect(await search()).toEqual({ isRight: true, byMeaning: false })
    expect(listTexts(next, 'questions')).toEqual([])
    app.advance(minute)
    await app.runJobs()
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
  })

  it('gives new documents its vectors only', async () => {
    await useServer(next)
    await runUntilDocument(1)
    const id = await addDocument('rule-4.txt', 'The brass rule number 4 is kept in drawer 4.')
    app.advance(minute)
    await app.runJobs()
    expect(listTexts(earlier, 'passages')).toEqual([])
    expect(listTexts(next, 'passages')).toHaveLength(4)
    expect(await readStatus()).toMatchObject({ state: 'ok' })
    expect((await app.call(documentsApi.get, { as: admin, params: { id } })).body.index).toMatchObject({
      state: 'ready',
      reason: null,
    })
  })

  it('is given up when the earlier one is set again', async () => {
    await useServer(next)
    await runUntilDocument(2)
    await useServer(earlier)
    app.advance(minute)
    await app.runJobs()
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
    expect(listTexts(earlier, 'passages')).toEqual([])
    expect([await countStored(), (await readStatus()).state]).toEqual([3, 'ok'])
  })

  it('continues every hour if it does not answer', async () => {
    next.always({ on: 'embeddings', fault: { kind: 'status', status: 501 } })
    await useServer(next)
    for (const delay of [0, 5000, minute, 10 * minute]) {
      app.advance(delay)
      await app.runJobs()
    }
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
    const { state, words } = await readStatus()
    expect([state, words]).toEqual(['failing', expect.stringContaining('0 of 3 done')])
    expect(await app.deps.jobs.count('failed')).toBe(0)
    next.always({ on: 'embeddings', dimensions: 64 })
    app.advance(hour)
    await app.runJobs()
    expect(listTexts(next, 'passages')).toHaveLength(3)
    admin = await createAdmin(app.deps, { isSystemAdmin: true })
    expect((await readStatus()).words).not.toContain('being embedded')
    expect((await search()).byMeaning).toBe(true)
  })

  it('is not asked for passages again after a change of the key or the text before questions', async () => {
    await useServer(earlier, { apiKey: 'another-1234567890', queryPrefix: 'query:' })
    await app.runJobs()
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
    expect(listTexts(earlier, 'passages')).toEqual([])
    expect(earlier.requests[0]?.headers.authorization).toBe('Bearer another-1234567890')
  })

  it('begins with another text before passages, too', async () => {
    await useServer(earlier, { passagePrefix: 'passage:' })
    await app.runJobs()
    expect(listTexts(earlier, 'passages')).toHaveLength(3)
    expect(listTexts(earlier, 'passages')[0]).toMatch(/^passage: /)
    expect(await countStored()).toBe(3)
  })
})

it('embeds the documents that were there before the first model', async () => {
  await app.close()
  app = await buildTestApp()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  channelId = await createTestChannel(app.deps)
  await addDocument('rule-2.txt', 'The brass rule number 2 is kept in drawer 2.')
  await app.runJobs()
  await useServer(next)
  expect((await readStatus()).words).toMatch(/^One document can be found by keywords only for now/)
  await app.runJobs()
  expect([await search(), (await readStatus()).state]).toEqual([{ isRight: true, byMeaning: true }, 'ok'])
})

it('embeds all documents again when the model returns vectors of another length', async () => {
  earlier.always({ on: 'embeddings', dimensions: 128 })
  expect(await search()).toEqual({ isRight: true, byMeaning: false })
  expect((await readStatus()).words).toMatch(
    /0 of 3 done\. Until then, passages are found by keywords only\.$/,
  )
  await app.runJobs()
  expect(listTexts(earlier, 'passages')).toHaveLength(3)
  expect(await search()).toEqual({ isRight: true, byMeaning: true })
  expect([await countStored(), (await readStatus()).state]).toEqual([3, 'ok'])
})

it('notices the other length when it embeds a new document or an old one, too', async () => {
  earlier.always({ on: 'embeddings', dimensions: 128 })
  await addDocument('rule-4.txt', 'The brass rule number 4 is kept in drawer 4.')
  await app.runJobs()
  app.advance(minute)
  await app.runJobs()
  expect([await search(), await countStored()]).toEqual([{ isRight: true, byMeaning: true }, 4])

  const generations = await app.deps.passageIndex.generations('', 10)
  await app.deps.db.deleteFrom('embeddings').execute()
  await app.deps.passageIndex.drop(generations.map(({ id }) => id))
  await queueIndexCompletion(app.deps)
  await app.runJobs()
  earlier.always({ on: 'embeddings', dimensions: 256 })
  app.advance(hour)
  await app.runJobs()
  app.advance(hour)
  await app.runJobs()
  expect([await search(), await countStored()]).toEqual([{ isRight: true, byMeaning: true }, 4])
})

it('keeps the earlier connection encrypted, and forgets it when embeddings are removed', async () => {
  function readSettings() {
    return app.deps.db.selectFrom('settings').select(['key', 'value']).execute()
  }
  await useServer(next)
  expect(JSON.stringify(await readSettings())).not.toContain('sesame')
  const keys = (await readSettings()).map(({ key }) => key)
  expect(keys).toContain('embeddingSpaceConnection')
  await app.call(connectionsApi.remove, { as: admin, params: { part: 'embeddings' } })
  expect((await readSettings()).map(({ key }) => key)).not.toContain('embeddingSpaceConnection')
  expect(await search()).toEqual({ isRight: true, byMeaning: false })
  expect([earlier.requests.length, next.requests.length]).toEqual([0, 0])
})

/** The documents that the list shows with this filter, and how many there are. */
async function listWithoutVectors() {
  const query = { status: 'approved', index: 'without-vectors', limit: 20, skip: 0 } as const
  const { body } = await app.call(documentsApi.list, { as: admin, query })
  if (Array.isArray(body)) throw new Error('expected a page')
  return [body.items.map(({ _id }) => _id), body.total]
}

async function readAttention() {
  return (await app.call(overviewApi.get, { as: admin })).body.attention
}

describe('an embedding server that fails', () => {
  it.each([
    ['vanishes while passages are embedded', { kind: 'drop', afterBytes: 0 }],
    ['answers 500', { kind: 'status', status: 500 }],
    [
      'returns NaN',
      { kind: 'body', contentType: 'application/json', body: '{"data":[{"embedding":[NaN]}]}' },
    ],
    ['returns too few vectors', { kind: 'body', contentType: 'application/json', body: '{"data":[]}' }],
  ] as const)('loses nothing when it %s', async (_, fault) => {
    earlier.always({ on: 'embeddings', fault: fault.kind === 'drop' ? { kind: 'reset' } : fault })
    const id = await addDocument('tin.txt', 'The tin rule is kept in the cellar.')
    await app.runJobs()
    const { body } = await app.call(documentsApi.get, { as: admin, params: { id } })
    expect(body.index).toMatchObject({ state: 'ready', answers: true })
    expect(body.index.reason).toMatch(/^Searchable by keywords only for now/)
    expect(await search()).toEqual({ isRight: true, byMeaning: false })
    expect(await readStatus()).toMatchObject({
      state: 'failing',
      words: expect.stringContaining('One document can be found by keywords only. Lyceum tries again'),
      remedy: 'see-documents-without-vectors',
    })
    expect(await listWithoutVectors()).toEqual([[id], 1])
    expect(await readAttention()).toEqual([{ kind: 'documents-without-vectors', count: 1 }])
    earlier.always({})
    app.advance(minute)
    await app.runJobs()
    expect(await search()).toEqual({ isRight: true, byMeaning: true })
    expect(await listWithoutVectors()).toEqual([[], 0])
    expect(await readAttention()).toEqual([])
    expect((await app.call(documentsApi.get, { as: admin, params: { id } })).body.index.reason).toBeNull()
  })

  it('gets the missing vectors as soon as the server answers a test', async () => {
    earlier.always({ on: 'embeddings', fault: { kind: 'reset' } })
    const id = await addDocument('tin.txt', 'The tin rule is kept in the cellar.')
    await app.runJobs()
    // The last attempt of the job for this document.
    for (const delay of [minute, 10 * minute]) {
      app.advance(delay)
      await app.runJobs()
    }
    expect(await listWithoutVectors()).toEqual([[id], 1])
    earlier.always({})
    const { body } = await app.call(statusApi.test, { as: admin, params: { part: 'embeddings' } })
    expect(body.ok).toBe(true)
    await expect.poll(() => app.deps.jobs.countByName('documents.embed')).toMatchObject({ pending: 1 })
    await app.runJobs()
    expect(await listWithoutVectors()).toEqual([[], 0])
    expect(await readStatus()).toMatchObject({ state: 'ok', remedy: undefined })
  })

  it('lists all documents while nothing is known of a new model', async () => {
    next.always({ on: 'embeddings', fault: { kind: 'reset' } })
    await useServer(next)
    await app.runJobs()
    expect((await listWithoutVectors())[1]).toBe(3)
    expect(await readAttention()).toEqual([{ kind: 'documents-without-vectors', count: 3 }])
    expect(await readStatus()).toMatchObject({ state: 'failing', remedy: 'see-documents-without-vectors' })
    // The admin home needs no index.
    app.useFirstServer()
    app.deps.passageIndex.size = () => Promise.reject(new SearchUnavailable('away'))
    expect(await readAttention()).toEqual([])
  })
})
