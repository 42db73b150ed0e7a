import { readFile } from 'node:fs/promises'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ModelError } from '#providers/assistant/port.ts'
import { SearchUnavailable } from '#providers/passage-index/port.ts'
import { type ExtractedText, ExtractionError, type ExtractionFault } from '#providers/text-extraction/port.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { createEmbeddingAssistant, createFakeEmbedder } from '#testing/fake-embedder.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import type { Deps } from '../../../deps.ts'
import { queueIndexCompletion } from '../jobs.ts'
import { findPassages, hasAnswerableDocuments } from '../retrieval/retrieval.ts'
import { completeVectors } from './complete-vectors.ts'
import { indexDocument } from './index-document.ts'
import { splitPassages } from './passages.ts'

const documents = new URL('../../../testing/documents/', import.meta.url)
const fixtures = new URL('../../../providers/text-extraction/fixtures/', import.meta.url)

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

async function upload(name: string, content: Buffer | string, inChannel = channelId): Promise<string> {
  const { status, body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId: inChannel },
    file: { name, content },
  })
  expect(status).toBe(200)
  return body._id
}

async function uploadAndApprove(...args: Parameters<typeof upload>): Promise<string> {
  const id = await upload(...args)
  await app.call(documentsApi.approve, { as: admin, params: { id } })
  return id
}

async function getIndexStatus(id: string) {
  return (await app.call(documentsApi.get, { as: admin, params: { id } })).body.index
}

function findRows(documentId: string) {
  return app.deps.db
    .selectFrom('passages')
    .select([
      'generation',
      'ordinal',
      'page',
      'page_turns',
      'heading_path',
      'char_start',
      'char_end',
      'text',
      'tokens',
    ])
    .where('document_id', '=', documentId)
    .orderBy('generation')
    .orderBy('ordinal')
    .execute()
}

/** Reads the stored extraction, to compare the passages with those of an uninterrupted build. */
async function readStoredText(): Promise<ExtractedText> {
  const version = await app.deps.db.selectFrom('document_versions').selectAll().executeTakeFirstOrThrow()
  return { text: version.text ?? '', blocks: JSON.parse(version.blocks ?? '[]'), pages: version.pages }
}

async function searchPassages(question: string, inChannel = channelId) {
  return findPassages(app.deps, { channelId: inChannel, question, limit: 50 })
}

/** Creates a text with enough sections for three batches. */
function createLongText(subject: string, length = 450) {
  return Array.from(
    { length },
    (_, index) => `# Rule ${index}\n\nThe ${subject} rule number ${index} is kept in drawer ${index}.`,
  ).join('\n\n')
}

/** Creates a deterministic vector. Different texts get different vectors. */
function createVector(text: string): Float32Array {
  const vector = new Float32Array(32)
  for (const [index, letter] of Array.from(text).entries())
    vector[(letter.charCodeAt(0) * 7 + index) % 32] =
      (vector[(letter.charCodeAt(0) * 7 + index) % 32] ?? 0) + 1
  const length = Math.hypot(...vector)
  return vector.map((number) => number / length)
}

function createTestEmbedder() {
  const embeddedTexts: string[] = []
  let failure: Error | null = null
  const embedder = createFakeEmbedder('test-embedding', async (texts) => {
    if (failure) throw failure
    embeddedTexts.push(...texts)
    return { vectors: texts.map(createVector), inputTokens: texts.length * 10 }
  })
  return {
    embedder,
    embeddedTexts,
    fail: (error: Error | null) => {
      failure = error
    },
  }
}

/** Runs the waiting job until it reaches a fault point for the nth time, then aborts it to simulate a crash. */
async function runUntil(point: string, occurrence: number): Promise<void> {
  const killed = new AbortController()
  let remaining = occurrence
  const deps: Deps = {
    ...app.workerDeps,
    faults: {
      reach(name) {
        if (name !== point) return
        remaining -= 1
        if (remaining > 0) return
        killed.abort(new Error('killed'))
        throw killed.signal.reason
      },
    },
  }
  const job = await app.deps.db
    .selectFrom('jobs')
    .select('payload')
    .where('name', '=', indexDocument.name)
    .executeTakeFirstOrThrow()
  const context = { attempt: 1, isLastAttempt: false, signal: killed.signal }
  await expect(indexDocument.run(deps, JSON.parse(job.payload), context)).rejects.toThrow('killed')
}

describe('indexing', () => {
  it.each([
    ['handbook.pdf', 'pdf'],
    ['travel-policy.docx', 'docx'],
    ['safety.doc', 'doc'],
    ['menu.txt', 'txt'],
  ])('makes the passages of %s available for replies', async (name, kind) => {
    const id = await uploadAndApprove(name, await readFile(new URL(name, documents)))
    expect(await hasAnswerableDocuments(app.deps, channelId)).toBe(false)
    await app.runJobs()
    expect(await getIndexStatus(id)).toMatchObject({
      state: 'ready',
      percent: 100,
      attempts: 1,
      reason: null,
    })
    expect(await hasAnswerableDocuments(app.deps, channelId)).toBe(true)
    const { text } = await app.deps.db
      .selectFrom('document_versions')
      .select('text')
      .executeTakeFirstOrThrow()
    const rows = await findRows(id)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) {
      expect(row.text).toBe(text?.slice(row.char_start, row.char_end))
      expect(row.page === null).toBe(kind !== 'pdf')
    }
  })

  it.each([
    ['encrypted.pdf', 'This document is password-protected.'],
    ['scanned.pdf', 'No text was found in this document.'],
    ['no-pages.pdf', 'This document has no pages.'],
  ])('explains why %s cannot be read and does not retry', async (name, expected) => {
    const id = await uploadAndApprove(name, await readFile(new URL(name, fixtures)))
    const other = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    await app.runJobs()
    const { state, reason, answers } = await getIndexStatus(id)
    expect([state, answers]).toEqual(['failed', false])
    expect(reason).toContain(expected)
    expect(await getIndexStatus(other)).toMatchObject({ state: 'ready' })
    expect([await app.deps.jobs.count('waiting'), await app.deps.jobs.count('failed')]).toEqual([0, 0])
    expect(await findRows(id)).toEqual([])
  })

  function failExtraction(fault: ExtractionFault) {
    return vi
      .spyOn(app.workerDeps.textExtractor, 'extract')
      .mockImplementation(() => Promise.reject(new ExtractionError(fault)))
  }

  it('retries after a crash and explains the failure after the last attempt', async () => {
    const extract = failExtraction('crashed')
    const id = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    for (const [attempt, delay] of [5_000, 60_000, 600_000].entries()) {
      await app.runJobs()
      expect(await getIndexStatus(id)).toMatchObject({
        state: 'waiting',
        attempts: attempt + 1,
        reason: null,
      })
      app.advance(delay)
    }
    await app.runJobs()
    expect(extract).toHaveBeenCalledTimes(4)
    const { state, attempts, reason, needsOtherFile } = await getIndexStatus(id)
    expect([state, attempts, needsOtherFile]).toEqual(['failed', 4, undefined])
    expect(reason).toMatch(/could not be read/)
  })

  it.each([
    ['timeout', /took too long/],
    ['out_of_memory', /too much memory/],
    ['damaged', /^This document is damaged and could not be read. Replace it with a working copy.$/],
  ] as const)('does not retry after %s, which would happen again', async (fault, expected) => {
    const extract = failExtraction(fault)
    const id = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    await app.runJobs()
    app.advance(600_000)
    await app.runJobs()
    expect(extract).toHaveBeenCalledTimes(1)
    const { state, reason } = await getIndexStatus(id)
    expect(state).toBe('failed')
    expect(reason).toMatch(expected)
  })

  it('names the pages that were left out', async () => {
    const { extract } = app.workerDeps.textExtractor
    vi.spyOn(app.workerDeps.textExtractor, 'extract').mockImplementation(async (request) => ({
      ...(await extract(request)),
      unreadPages: [7, 9],
    }))
    const id = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    await app.runJobs()
    expect(await getIndexStatus(id)).toMatchObject({
      state: 'ready',
      reason: 'Pages 7 and 9 took too much time or memory to read and were left out.',
    })
  })

  it('shows an unexpected error on the document and in the queue', async () => {
    vi.spyOn(app.workerDeps.passageIndex, 'add').mockRejectedValue(new Error('disk I/O error'))
    const id = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    for (const delay of [5_000, 60_000, 600_000, 0]) {
      await app.runJobs()
      app.advance(delay)
    }
    expect(await getIndexStatus(id)).toMatchObject({ state: 'failed', answers: false })
    expect((await getIndexStatus(id)).reason).toContain('unexpected error')
    expect(await app.deps.jobs.count('failed')).toBe(1)
    expect(await findRows(id)).toEqual([])
    vi.mocked(app.workerDeps.passageIndex.add).mockRestore()
    await app.call(documentsApi.reindex, { as: admin, params: { id } })
    await app.runJobs()
    expect(await getIndexStatus(id)).toMatchObject({ state: 'ready', reason: null })
  })

  it('reports its progress', async () => {
    const release = Promise.withResolvers<void>()
    const { extract } = app.workerDeps.textExtractor
    vi.spyOn(app.workerDeps.textExtractor, 'extract').mockImplementation(async (request) => {
      const reporting = setInterval(() => request.onProgress?.(40), 20)
      await release.promise
      clearInterval(reporting)
      return extract(request)
    })
    const id = await uploadAndApprove('menu.txt', 'Soup on Monday.')
    const running = app.runJobs()
    await vi.waitFor(async () => {
      const { state, percent } = await getIndexStatus(id)
      expect([state, percent]).toEqual(['extracting', 40])
    })
    release.resolve()
    await running
    expect(await getIndexStatus(id)).toMatchObject({ state: 'ready', percent: 100 })
  })
})

describe('an interrupted build', () => {
  it.each([
    ['index.chunk', 1],
    ['index.chunk', 2],
    ['index.chunk', 3],
    ['index.added', 1],
    ['index.added', 3],
    ['index.switched', 1],
  ])(
    'gives the same result as an uninterrupted build when killed at %s (occurrence %i) and repeated',
    async (point, occurrence) => {
      const extract = vi.spyOn(app.workerDeps.textExtractor, 'extract')
      const id = await uploadAndApprove('rules.txt', createLongText('brass'))
      await runUntil(point, occurrence)
      const isActive = point === 'index.switched'
      expect(await hasAnswerableDocuments(app.deps, channelId)).toBe(isActive)
      expect((await searchPassages('brass rule')).length > 0).toBe(isActive)
      await app.runJobs()
      expect(await getIndexStatus(id)).toMatchObject({ state: 'ready', percent: 100, passages: 450 })
      const rows = await findRows(id)
      expect(
        rows.map(({ generation: _, heading_path, page_turns, char_start, char_end, ...row }) => ({
          ...row,
          pageBreaks: JSON.parse(page_turns),
          headingPath: JSON.parse(heading_path),
          charStart: char_start,
          charEnd: char_end,
        })),
      ).toEqual([...splitPassages(await readStoredText())])
      const generations = await app.deps.passageIndex.generations('', 10)
      expect(generations).toMatchObject([{ id: rows[0]?.generation, passages: 450 }])
      expect(extract).toHaveBeenCalledTimes(1)
      expect((await searchPassages('brass rule drawer 321'))[0]?.text).toContain('number 321')
    },
  )

  it.each([
    ['index.chunk', 2],
    ['index.added', 2],
  ])(
    'leaves only the previous passages in use when killed at %s (occurrence %i) during reindexing',
    async (point, occurrence) => {
      const id = await uploadAndApprove('rules.txt', createLongText('brass'))
      await app.runJobs()
      const before = new Set((await findRows(id)).map(({ generation }) => generation))
      await app.call(documentsApi.reindex, { as: admin, params: { id } })
      await runUntil(point, occurrence)
      const during = await searchPassages('brass rule')
      expect(during.length).toBeGreaterThan(0)
      expect(new Set(during.map(({ generation }) => generation))).toEqual(before)
      expect(await getIndexStatus(id)).toMatchObject({ answers: true, passages: 450 })
      await app.runJobs()
      const after = await searchPassages('brass rule')
      expect(after.length).toBeGreaterThan(0)
      expect(after.some(({ generation }) => before.has(generation))).toBe(false)
      expect(new Set((await findRows(id)).map(({ generation }) => generation)).size).toBe(1)
      expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
    },
  )

  it('leaves nothing behind when its document is deleted while it runs', async () => {
    const id = await uploadAndApprove('rules.txt', createLongText('brass'))
    const { reach } = app.workerDeps.faults
    let remaining = 2
    app.workerDeps.faults.reach = (name) => {
      if (name === 'index.added') remaining -= 1
      reach(name)
    }
    const add = app.workerDeps.passageIndex.add.bind(app.workerDeps.passageIndex)
    vi.spyOn(app.workerDeps.passageIndex, 'add').mockImplementation(async (...args) => {
      await add(...args)
      if (remaining === 1) await app.call(documentsApi.remove, { as: admin, params: { id } })
    })
    await app.runJobs()
    expect(await app.deps.passageIndex.generations('', 10)).toEqual([])
    expect(await app.deps.db.selectFrom('passages').select('id').execute()).toEqual([])
    expect(await app.deps.jobs.count('failed')).toBe(0)
    expect(await app.deps.jobs.count('waiting')).toBe(0)
  })

  it('is discarded when another build was activated first', async () => {
    const id = await uploadAndApprove('rules.txt', 'The brass rule.')
    await runUntil('index.added', 1)
    app.advance(31 * 60_000)
    await app.call(documentsApi.reindex, { as: admin, params: { id } })
    expect(await app.deps.jobs.count('waiting')).toBe(2)
    await app.runJobs()
    expect(await getIndexStatus(id)).toMatchObject({ state: 'ready', answers: true })
    expect(new Set((await findRows(id)).map(({ generation }) => generation)).size).toBe(1)
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
    expect(await searchPassages('brass')).toHaveLength(1)
  })
})

describe('with an embedding model', () => {
  const model = createTestEmbedder()
  beforeEach(async () => {
    await app.close()
    model.embeddedTexts.length = 0
    model.fail(null)
    await startApp({ assistant: createEmbeddingAssistant(model.embedder) })
  })

  it('embeds each text once and records the token usage', async () => {
    const id = await uploadAndApprove('rules.txt', createLongText('brass'))
    await app.runJobs()
    expect(model.embeddedTexts).toHaveLength(450)
    expect(model.embeddedTexts[7]).toBe('rules.txt > Rule 7\nThe brass rule number 7 is kept in drawer 7.')
    const usage = await app.deps.db.selectFrom('llm_usage').selectAll().execute()
    expect(usage.reduce((sum, { input }) => sum + input, 0)).toBe(4500)
    expect(usage[0]).toMatchObject({
      purpose: 'embed',
      channel_id: channelId,
      actual_model: 'test-embedding',
      cost: null,
    })
    await app.call(documentsApi.reindex, { as: admin, params: { id } })
    await app.runJobs()
    expect(model.embeddedTexts).toHaveLength(450)
  })

  it('does not request the vectors of an interrupted run again', async () => {
    const { reach } = app.workerDeps.faults
    app.workerDeps.faults.reach = (name) => {
      if (name === 'index.vectors') throw new Error('interrupted')
      reach(name)
    }
    await uploadAndApprove('rules.txt', createLongText('brass'))
    await app.runJobs()
    expect(model.embeddedTexts).toHaveLength(200)
    app.workerDeps.faults.reach = reach
    app.advance(5000)
    await app.runJobs()
    expect(model.embeddedTexts).toHaveLength(450)
    expect((await searchPassages('drawer 321'))[0]?.similarity).not.toBeNull()
  })

  it.each([
    ['does not respond', new ModelError('assistant.unavailable', 'down')],
    ['answers something else', new TypeError('vectors is not iterable')],
  ])('makes words searchable at once while the service %s, and adds vectors later', async (_, failure) => {
    model.fail(failure)
    const id = await uploadAndApprove('rules.txt', createLongText('brass'))
    await app.runJobs()
    const { state, reason, passages } = await getIndexStatus(id)
    expect([state, passages]).toEqual(['ready', 450])
    expect(reason).toMatch(/^Searchable by keywords only for now, .* tries again at least every hour\.$/)
    const [best] = await searchPassages('brass drawer 321')
    expect(best).toMatchObject({ similarity: null })
    expect(best?.text).toContain('number 321')
    model.fail(null)
    app.advance(5000)
    await app.runJobs()
    expect(await getIndexStatus(id)).toMatchObject({ state: 'ready', reason: null })
    expect((await searchPassages('brass drawer 321'))[0]?.similarity).not.toBeNull()
  })

  it('adds the vectors an hour later if the service was down for longer', async () => {
    model.fail(new ModelError('assistant.unavailable', 'down'))
    const id = await uploadAndApprove('rules.txt', createLongText('brass'))
    const hour = 3_600_000
    for (const delay of [5_000, 60_000, 600_000, hour]) {
      await app.runJobs()
      app.advance(delay)
    }
    expect(await app.deps.jobs.countByName(completeVectors.name)).toEqual({ pending: 0, failed: 0 })
    await app.runJobs()
    expect((await getIndexStatus(id)).reason).toMatch(/Lyceum tries again at least every hour\.$/)
    expect(await app.deps.jobs.count('failed')).toBe(0)
    model.fail(null)
    app.advance(hour)
    await app.runJobs()
    expect(await getIndexStatus(id)).toMatchObject({ state: 'ready', reason: null })
    expect((await searchPassages('brass drawer 321'))[0]?.similarity).not.toBeNull()
  })

  it('requests no vectors for a document that was deleted meanwhile', async () => {
    model.fail(new ModelError('assistant.unavailable', 'down'))
    const id = await uploadAndApprove('rules.txt', createLongText('brass'))
    await app.runJobs()
    await app.call(documentsApi.remove, { as: admin, params: { id } })
    model.fail(null)
    app.advance(5000)
    await app.runJobs()
    expect(model.embeddedTexts).toEqual([])
    expect(await app.deps.jobs.countByName(completeVectors.name)).toEqual({ pending: 0, failed: 0 })
  })

  it('rebuilds a lost index without calling the model', async () => {
    // Fewer than the nearest vectors that OpenSearch is asked for, among which its graph leaves none out.
    await uploadAndApprove('rules.txt', createLongText('brass', 90))
    await uploadAndApprove('menu.txt', 'Soup on Monday.')
    await app.runJobs()
    async function listResults() {
      return (await searchPassages('brass drawer 81')).map(({ passageId, similarity }) => ({
        passageId,
        similarity,
      }))
    }
    const before = await listResults()
    const countBefore = model.embeddedTexts.length
    const indexed = await app.deps.passageIndex.generations('', 10)
    await app.deps.passageIndex.drop(indexed.map(({ id }) => id))
    await app.deps.passageIndex.add({ id: 'unknown', documentId: 'gone', channelId }, [
      { id: 'stray', title: 'x', headingPath: [], text: 'brass' },
    ])
    // Answers from an index without these documents would be wrong.
    await expect(listResults()).rejects.toBeInstanceOf(SearchUnavailable)
    const questions = model.embeddedTexts.length - countBefore
    await queueIndexCompletion(app.deps)
    await app.runJobs()
    expect(model.embeddedTexts.length - countBefore).toBe(questions)
    expect(await app.deps.passageIndex.generations('', 10)).toEqual(indexed)
    expect(await listResults()).toEqual(before)
  })
})
