import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import {
  excerptLength,
  testQuestionMaximum,
  testQuestionsApi,
  testRunMaximum,
} from '@lyceum/contract/test-questions'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { createEmbeddingAssistant, createFakeEmbedder } from '#testing/fake-embedder.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import type { Deps } from '../../deps.ts'

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

async function uploadApproved(name: string, content: string, intoChannel = channelId): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId: intoChannel },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  await app.runJobs()
  return body._id
}

function addQuestion(question: string, expectedDocumentIds: string[], id = channelId) {
  return app.call(testQuestionsApi.add, {
    as: admin,
    params: { id },
    body: { question, expectedDocumentIds },
  })
}
async function getBench(id = channelId) {
  return (await app.call(testQuestionsApi.list, { as: admin, params: { id } })).body
}
function runBench(note?: string) {
  return app.call(testQuestionsApi.run, {
    as: admin,
    params: { id: channelId },
    body: note === undefined ? {} : { note },
  })
}
function getRun(runId: string, id = channelId) {
  return app.call(testQuestionsApi.getRun, { as: admin, params: { id, runId } })
}
function removeDocument(id: string) {
  return app.call(documentsApi.remove, { as: admin, params: { id } })
}

/** Calls every endpoint of the test bench for one channel. */
function callEveryEndpoint(as: TestUser, id: string) {
  const body = { question: 'When do doors close?', expectedDocumentIds: ['none'] }
  const params = { id, questionId: 'none' }
  return Promise.all([
    app.call(testQuestionsApi.list, { as, params: { id } }),
    app.call(testQuestionsApi.add, { as, params: { id }, body }),
    app.call(testQuestionsApi.update, { as, params, body }),
    app.call(testQuestionsApi.remove, { as, params }),
    app.call(testQuestionsApi.run, { as, params: { id }, body: {} }),
    app.call(testQuestionsApi.getRun, { as, params: { id, runId: 'none' } }),
    app.call(testQuestionsApi.try, { as, params: { id }, body: { question: body.question } }),
  ])
}

describe('the test bench', () => {
  it('rejects callers without canManageDocuments', async () => {
    const member = await createUser(app.deps, { channels: [channelId] })
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageDocuments: false } })
    for (const as of [member, restrictedAdmin])
      for (const { status, body } of await callEveryEndpoint(as, channelId))
        expect([status, body.code]).toEqual([403, 'permission.denied'])
  })

  it('rejects unknown channels and channels without documents', async () => {
    for (const { status } of await callEveryEndpoint(admin, 'none')) expect(status).toBe(404)
    const readyMade = await createTestChannel(app.deps, { useAssistant: true, openaiAssistantId: 'asst_1' })
    for (const { status, body } of await callEveryEndpoint(admin, readyMade))
      expect([status, body.code]).toEqual([409, 'channel.no_documents'])
  })
})

describe('a question', () => {
  it.each([
    ['ab', ['x'], 'At least 3 characters'],
    [' a \n b ', [], 'Choose at least one document'],
    ['x'.repeat(1001), ['x'], 'At most 1000 characters'],
    ['a\u0000b?', ['x'], 'This contains characters that cannot be shown'],
    ['Which ones?', Array.from({ length: 11 }, (_, n) => `d${n}`), 'At most 10 documents'],
  ])('rejects the question %j with the expected documents %j', async (question, documents, message) => {
    const { status, body } = await addQuestion(question, documents)
    expect([status, body.message]).toEqual([400, message])
    expect((await getBench()).questions).toEqual([])
  })

  it('accepts only documents of its own channel', async () => {
    const ours = await uploadApproved('hours.txt', 'Doors close at eight.')
    const elsewhere = await createTestChannel(app.deps)
    const theirs = await uploadApproved('theirs.txt', 'Windows close at nine.', elsewhere)
    for (const wrong of [theirs, 'none']) {
      const { status, body } = await addQuestion('When do doors close?', [ours, wrong])
      expect([status, body.message]).toEqual([400, 'Choose documents from this channel'])
      expect(body.fields).toEqual({ expectedDocumentIds: 'Choose documents from this channel' })
    }
    expect((await getBench()).questions).toEqual([])
  })

  it('cannot be changed or deleted through another channel', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    const { body: stored } = await addQuestion('When do doors close?', [document])
    const elsewhere = await createTestChannel(app.deps)
    const theirs = await uploadApproved('theirs.txt', 'Windows close at nine.', elsewhere)
    const params = { id: elsewhere, questionId: stored._id }
    const body = { question: 'Taken over?', expectedDocumentIds: [theirs] }
    expect((await app.call(testQuestionsApi.update, { as: admin, params, body })).status).toBe(404)
    expect((await app.call(testQuestionsApi.remove, { as: admin, params })).status).toBe(404)
    expect((await getBench()).questions).toEqual([stored])
  })

  it('is stored on one line without duplicate documents, changed and deleted', async () => {
    const [first, second] = [
      await uploadApproved('a.txt', 'Doors close.'),
      await uploadApproved('b.txt', 'Doors open.'),
    ]
    const { status, body: stored } = await addQuestion(' When do\n doors close? ', [first, first])
    expect([status, stored.question]).toEqual([200, 'When do doors close?'])
    expect(stored.expected).toEqual([{ _id: first, title: 'a.txt', isDeleted: false }])
    app.advance(60_000)
    const params = { id: channelId, questionId: stored._id }
    const body = { question: 'When do doors open?', expectedDocumentIds: [second] }
    const { body: changed } = await app.call(testQuestionsApi.update, { as: admin, params, body })
    expect(changed).toMatchObject({ _id: stored._id, question: body.question, expected: [{ _id: second }] })
    expect(changed.updatedAt > stored.updatedAt).toBe(true)
    expect((await getBench()).questions).toEqual([changed])
    expect((await app.call(testQuestionsApi.remove, { as: admin, params })).status).toBe(200)
    expect((await app.call(testQuestionsApi.remove, { as: admin, params })).status).toBe(404)
    expect((await getBench()).questions).toEqual([])
  })

  it('is added only once to a channel', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    expect((await addQuestion('When do doors close?', [document])).status).toBe(200)
    const { status, body } = await addQuestion('When do  doors close? ', [document])
    expect([status, body.code]).toEqual([409, 'test.duplicate'])
    expect((await getBench()).questions).toHaveLength(1)
  })

  it('is limited to 200 per channel, even with concurrent requests', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    const rows = Array.from({ length: testQuestionMaximum - 1 }, (_, n) => ({
      id: `q${n}`,
      channel_id: channelId,
      question: `Question ${n}?`,
      expected: JSON.stringify([document]),
      created_at: 1,
      updated_at: 1,
    }))
    await app.deps.db.insertInto('test_questions').values(rows).execute()
    const responses = await Promise.all(
      ['One?', 'Two?', 'Three?'].map((start) => addQuestion(`${start} More`, [document])),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('test.full')
    expect((await getBench()).questions).toHaveLength(testQuestionMaximum)
  })
})

describe('a run', () => {
  it('is rejected without questions or with a note that is too long', async () => {
    const { status, body } = await runBench()
    expect([status, body.code]).toEqual([409, 'test.no_questions'])
    expect((await runBench('x'.repeat(201))).status).toBe(400)
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', [document])
    expect((await runBench()).status).toBe(200)
  })

  it('rejects concurrent runs of a channel, and starts after a crashed run’s lease has expired', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', [document])
    const { promise: otherRunsAreRejected, resolve: letSearchContinue } = Promise.withResolvers<void>()
    const search = app.deps.passageIndex.search.bind(app.deps.passageIndex)
    vi.spyOn(app.deps.passageIndex, 'search').mockImplementation(async (query) => {
      await otherRunsAreRejected
      return search(query)
    })
    let responseCount = 0
    const runs = ['first', 'second', 'third'].map(async (note) => {
      const response = await runBench(note)
      responseCount += 1
      if (responseCount === 2) letSearchContinue()
      return response
    })
    const responses = await Promise.all(runs)
    const codes = responses.map(({ status, body }) => (status === 200 ? 'ran' : body.code)).toSorted()
    expect(codes).toEqual(['ran', 'test.running', 'test.running'])
    expect((await getBench()).runs).toHaveLength(1)
    const staleLease = { channel_id: channelId, owner: 'gone', lease_until: Date.UTC(2100, 0) }
    await app.deps.db.insertInto('test_run_leases').values(staleLease).execute()
    expect((await runBench()).body.code).toBe('test.running')
    await app.deps.db.updateTable('test_run_leases').set({ lease_until: 1 }).execute()
    expect((await runBench()).status).toBe(200)
  })

  it('releases the lease when it fails', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', [document])
    vi.spyOn(app.deps.passageIndex, 'search').mockRejectedValueOnce(new Error('broken'))
    expect((await runBench()).status).toBe(500)
    expect((await getBench()).runs).toEqual([])
    expect((await runBench()).status).toBe(200)
  })

  it('reports for each question what was found, at which rank and why', async () => {
    const hours = await uploadApproved(
      'hours.txt',
      `# House\n\nDoors close at eight. ${'And so on. '.repeat(60)}`,
    )
    const gloves = await uploadApproved('gloves.txt', 'Nitrile gloves are needed for epoxy resin.')
    await addQuestion('When do doors close?', [hours])
    await addQuestion('Which gloves are needed?', [hours, gloves])
    await addQuestion('Who repairs bicycles?', [gloves])
    const { body } = await runBench('Before')
    expect(body).toMatchObject({ note: 'Before', total: 3, passed: 2, meanRank: 1 })
    const [doors, which, bicycles] = body.results
    expect(doors).toMatchObject({ isPassed: true, rank: 1, change: 'new' })
    expect(doors?.passages[0]).toMatchObject({
      documentId: hours,
      title: 'hours.txt',
      page: null,
      headingPath: ['House'],
      isExpected: true,
      wordsRank: 1,
      meaningRank: null,
    })
    expect(doors?.passages[0]?.excerpt).toMatch(/^Doors close at eight\. .*…$/)
    expect(doors?.passages[0]?.excerpt.length).toBeLessThanOrEqual(excerptLength)
    expect(which).toMatchObject({ isPassed: true, rank: 1 })
    expect(bicycles).toMatchObject({ isPassed: false, rank: null, passages: [] })
    expect((await getRun(body._id)).body).toEqual(body)
    const { results: _, ...summary } = body
    expect((await getBench()).runs).toEqual([summary])
  })

  it('sends the same search to the index as a reply', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    const question = 'When do doors close?'
    await addQuestion(question, [document])
    const member = await createUser(app.deps, { channels: [channelId] })
    const chat = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
    app.useFirstServer()
    const search = vi.spyOn(app.deps.passageIndex, 'search')
    const params = { channelId, chatId: chat.body._id }
    await app.call(chatsApi.send, { as: member, params, body: { message: question } })
    await runBench()
    await app.call(testQuestionsApi.try, { as: admin, params: { id: channelId }, body: { question } })
    const [answered, ran, tried] = search.mock.calls
    expect(answered?.[0].text).toBe(question)
    expect(ran).toEqual(answered)
    expect(tried).toEqual(answered)
  })

  it('uses the embedding model if there is one and records its token usage', async () => {
    await app.close()
    async function embed(texts: readonly string[]) {
      return {
        vectors: texts.map(() => new Float32Array(16).fill(1)),
        inputTokens: 7,
      }
    }
    await startApp({ assistant: createEmbeddingAssistant(createFakeEmbedder('test', embed)) })
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('Wann ist Feierabend?', [document])
    const { body } = await runBench()
    expect(body.results[0]?.passages[0]).toMatchObject({ wordsRank: null, meaningRank: 1, isExpected: true })
    const usage = await app.deps.db
      .selectFrom('llm_usage')
      .select('input')
      .where('user_id', '=', admin.id)
      .where('channel_id', '=', channelId)
      .execute()
    expect(usage).toEqual([{ input: 7 }])
  })

  it('is compared with the previous run, question by question', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    const gloves = await uploadApproved('gloves.txt', 'Nitrile gloves are needed.')
    await addQuestion('When do doors close?', [hours])
    await addQuestion('Who repairs bicycles?', [gloves])
    const { body: reworded } = await addQuestion('Which gloves?', [gloves])
    await runBench('before')
    await uploadApproved('doors.txt', 'Doors of the shed.')
    const params = { id: channelId, questionId: reworded._id }
    const body = { question: 'Which nitrile gloves?', expectedDocumentIds: [gloves] }
    await app.call(testQuestionsApi.update, { as: admin, params, body })
    await removeDocument(hours)
    await addQuestion('Where is the shed?', [gloves])
    const { body: after } = await runBench('after')
    expect(after.results.map(({ change, isPassed }) => [change, isPassed])).toEqual([
      ['lost', false],
      ['same', false],
      ['new', true],
      ['new', false],
    ])
    const bicycles = await uploadApproved('bicycles.txt', 'Kwame repairs bicycles.')
    const repairs = after.results[1]?.questionId ?? ''
    await app.call(testQuestionsApi.update, {
      as: admin,
      params: { id: channelId, questionId: repairs },
      body: { question: 'Who repairs bicycles?', expectedDocumentIds: [bicycles] },
    })
    expect((await runBench()).body.results[1]?.change).toBe('new')
  })

  it('hides documents that were deleted since', async () => {
    const hours = await uploadApproved('hours.txt', '# House\n\nDoors close at eight.')
    await addQuestion('When do doors close?', [hours])
    const { body: before } = await runBench()
    await removeDocument(hours)
    const gone = { _id: hours, title: '(deleted document)', isDeleted: true }
    expect((await getBench()).questions[0]?.expected).toEqual([gone])
    const { bytes, body: seen } = await getRun(before._id)
    expect(bytes.toString()).not.toMatch(/hours|House|close at eight/)
    expect(seen.results[0]).toMatchObject({ isPassed: true, expected: [gone] })
    const { body: after } = await runBench()
    expect(after).toMatchObject({ passed: 0, meanRank: null })
    expect(after.results[0]).toMatchObject({
      isPassed: false,
      change: 'lost',
      expected: [gone],
      passages: [],
    })
  })

  it('finds nothing in a document that is not approved', async () => {
    const { body: pending } = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId },
      file: { name: 'secret.txt', content: 'The vault code is heron-42.' },
    })
    await uploadApproved('hours.txt', 'The vault is closed.')
    await addQuestion('What is the vault code?', [pending._id])
    const { bytes, body } = await runBench()
    expect(body.passed).toBe(0)
    expect(bytes.toString()).not.toContain('heron')
  })

  it('is listed newest first among the last 20 and cannot be opened from another channel', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', [document])
    for (let n = 0; n <= testRunMaximum; n += 1) await runBench(`run ${n}`)
    const { runs } = await getBench()
    expect(runs).toHaveLength(testRunMaximum)
    expect([runs[0]?.note, runs.at(-1)?.note]).toEqual(['run 20', 'run 1'])
    const elsewhere = await createTestChannel(app.deps)
    expect((await getRun(runs[0]?._id ?? '', elsewhere)).status).toBe(404)
    expect((await getRun('none')).status).toBe(404)
  })

  it('is deleted with its channel', async () => {
    const document = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', [document])
    await runBench()
    await app.call(channelsApi.remove, { as: admin, params: { id: channelId } })
    for (const table of ['test_questions', 'test_runs', 'test_run_leases'] as const)
      expect(await app.deps.db.selectFrom(table).selectAll().execute(), table).toEqual([])
  })
})

describe('trying a question', () => {
  it('shows the passages and stores nothing', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    function ask(question: string) {
      return app.call(testQuestionsApi.try, { as: admin, params: { id: channelId }, body: { question } })
    }
    expect((await ask('ab')).status).toBe(400)
    expect((await ask('When do doors close?')).body.passages).toMatchObject([
      { documentId: hours, excerpt: 'Doors close at eight.', wordsRank: 1 },
    ])
    expect((await ask('Who repairs bicycles?')).body.passages).toEqual([])
    expect(await getBench()).toEqual({ questions: [], runs: [], minMatch: null })
  })
})
