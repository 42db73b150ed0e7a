import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ModelError } from '#providers/assistant/port.ts'
import type { PassageHit } from '#providers/passage-index/port.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { createEmbeddingAssistant, createFakeEmbedder } from '#testing/fake-embedder.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import type { Deps } from '../../../deps.ts'
import { findAvailableVersions } from '../access.ts'
import { findPassages, hasAnswerableDocuments } from './retrieval.ts'

let app: TestApp
let admin: TestUser
let channelId: string
async function startApp(deps: Partial<Deps> = {}) {
  app = await buildTestApp({ deps })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
}
beforeEach(() => startApp())
afterEach(() => app.close())

async function upload(name: string, content: string, inChannel = channelId): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId: inChannel },
    file: { name, content },
  })
  return body._id
}

async function uploadApproved(...args: Parameters<typeof upload>): Promise<string> {
  const id = await upload(...args)
  await app.call(documentsApi.approve, { as: admin, params: { id } })
  await app.runJobs()
  return id
}

function search(question: string, inChannel = channelId) {
  return findPassages(app.deps, { channelId: inChannel, question, limit: 8 })
}

const secret = 'The vault code of the lighthouse is heron-42.'

describe('findPassages', () => {
  it('finds nothing in documents that are pending or rejected', async () => {
    await upload('pending.txt', secret)
    const rejected = await upload('rejected.txt', `${secret} Really.`)
    await app.call(documentsApi.reject, { as: admin, params: { id: rejected } })
    await app.runJobs()
    expect(await hasAnswerableDocuments(app.deps, channelId)).toBe(false)
    expect(await search('vault code of the lighthouse')).toEqual([])
  })

  it('finds nothing in another channel', async () => {
    const elsewhere = await createTestChannel(app.deps)
    await uploadApproved('theirs.txt', secret, elsewhere)
    await uploadApproved('ours.txt', 'The lighthouse opens at nine.')
    const texts = (await search('vault code of the lighthouse')).map(({ text }) => text)
    expect(texts).toEqual(['The lighthouse opens at nine.'])
    expect((await search('vault code', elsewhere)).map(({ text }) => text)).toEqual([secret])
  })

  it('finds nothing in a deleted document, even while the index still contains it', async () => {
    const id = await uploadApproved('vault.txt', secret)
    app.useFirstServer()
    vi.spyOn(app.deps.passageIndex, 'drop').mockRejectedValue(new Error('busy'))
    const { status } = await app.call(documentsApi.remove, { as: admin, params: { id } })
    expect(status).toBe(200)
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
    expect(await hasAnswerableDocuments(app.deps, channelId)).toBe(false)
    expect(await search('vault code of the lighthouse')).toEqual([])
  })

  it('checks every hit against the database, whatever the index returns', async () => {
    const deleted = await uploadApproved('vault.txt', secret)
    const elsewhere = await createTestChannel(app.deps)
    await uploadApproved('theirs.txt', `${secret} Theirs.`, elsewhere)
    const hits = [...(await search('vault code')), ...(await search('vault code', elsewhere))].map(
      ({
        passageId,
        generation,
        score,
        lexical,
        similarity,
        coverage,
        match,
        wordsRank,
        meaningRank,
      }): PassageHit => ({
        passageId,
        generation,
        score,
        lexical,
        similarity,
        coverage,
        match,
        wordsRank,
        meaningRank,
      }),
    )
    expect(hits).toHaveLength(2)
    await app.call(documentsApi.remove, { as: admin, params: { id: deleted } })
    await uploadApproved('ours.txt', 'The lighthouse opens at nine.')
    vi.spyOn(app.deps.passageIndex, 'search').mockResolvedValue({ hits, searched: 1 })
    expect(await search('vault code')).toEqual([])
  })

  it('searches again when a build was switched during the search', async () => {
    const id = await uploadApproved('vault.txt', secret)
    const searchIndex = app.deps.passageIndex.search.bind(app.deps.passageIndex)
    vi.spyOn(app.deps.passageIndex, 'search').mockImplementationOnce(async (query) => {
      const result = await searchIndex(query)
      await app.call(documentsApi.reindex, { as: admin, params: { id } })
      await app.runJobs()
      return result
    })
    expect((await search('vault code')).map(({ text }) => text)).toEqual([secret])
  })

  it('returns passages best first, with their location and ranks', async () => {
    const id = await uploadApproved(
      'vault.txt',
      `# Keys\n\n${secret}\n\n# Hours\n\nThe lighthouse opens at nine.`,
    )
    const [best, ...others] = await search('What is the vault code?')
    const text = (await app.call(documentsApi.text, { as: admin, params: { id } })).body.pages
      .map((page) => page.text)
      .join('')
    expect(best).toMatchObject({
      documentId: id,
      title: 'vault.txt',
      fileType: 'txt',
      page: null,
      headingPath: ['Keys'],
      text: secret,
      ordinal: 0,
      similarity: null,
    })
    expect(text.slice(best?.charStart, best?.charEnd)).toBe(secret)
    expect(best?.lexical).toBeGreaterThan(0)
    for (const other of others) expect(other.score).toBeLessThanOrEqual(best?.score ?? 0)
  })

  it('searches by keywords only when the embedding service fails', async () => {
    await app.close()
    let isDown = false
    await startApp({
      assistant: createEmbeddingAssistant(
        createFakeEmbedder('test-embedding', async (texts) => {
          if (isDown) throw new ModelError('assistant.unavailable', 'down')
          return { vectors: texts.map(() => new Float32Array(16).fill(0.25)), inputTokens: 7 }
        }),
      ),
    })
    await uploadApproved('vault.txt', secret)
    expect((await search('vault code'))[0]?.similarity).toBeCloseTo(1, 1)
    function listUsage() {
      return app.deps.db.selectFrom('llm_usage').select('input').execute()
    }
    expect(await listUsage()).toHaveLength(2)
    isDown = true
    expect(await search('vault code')).toMatchObject([{ text: secret, similarity: null }])
    expect(await listUsage()).toHaveLength(2)
  })
})

describe('findAvailableVersions', () => {
  it('returns only documents that are approved in the same channel', async () => {
    const elsewhere = await createTestChannel(app.deps)
    const ours = await uploadApproved('ours.txt', 'Ours.')
    const pending = await upload('pending.txt', 'Pending.')
    const theirs = await uploadApproved('theirs.txt', 'Theirs.', elsewhere)
    const deleted = await uploadApproved('deleted.txt', 'Deleted.')
    await app.call(documentsApi.remove, { as: admin, params: { id: deleted } })
    const ids = [ours, ours, pending, theirs, deleted, 'unknown']
    expect(await findAvailableVersions(app.deps.db, channelId, ids)).toEqual(new Map([[ours, 1]]))
    expect(await findAvailableVersions(app.deps.db, channelId, [])).toEqual(new Map())
  })
})
