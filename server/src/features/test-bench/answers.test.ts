import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { type DocumentChange as Change, testQuestionsApi } from '@lyceum/contract/test-questions'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let channelId: string

beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
})
afterEach(() => app.close())

async function upload(name: string, content: string): Promise<string> {
  const fields = { channelId }
  const { body } = await app.upload(documentsApi.upload, { as: admin, fields, file: { name, content } })
  return body._id
}

async function approve(id: string): Promise<string> {
  await app.call(documentsApi.approve, { as: admin, params: { id } })
  await app.runJobs()
  return id
}

async function uploadApproved(name: string, content: string): Promise<string> {
  return approve(await upload(name, content))
}

type Expectation = Partial<Parameters<typeof testQuestionsApi.add.body.parse>[0] & object>

function addQuestion(question: string, expectation: Expectation) {
  const body = { question, expectedDocumentIds: [], ...expectation }
  return app.call(testQuestionsApi.add, { as: admin, params: { id: channelId }, body })
}
async function getBench() {
  return (await app.call(testQuestionsApi.list, { as: admin, params: { id: channelId } })).body
}
async function runBench() {
  return (await app.call(testQuestionsApi.run, { as: admin, params: { id: channelId }, body: {} })).body
}
function compare(id: string, change: Change, as = admin) {
  return app.call(testQuestionsApi.compare, { as, params: { id }, body: { change } })
}

describe('what an answer should be', () => {
  it.each([
    [{ isUnanswerable: false }, 'Choose at least one document'],
    [
      { isUnanswerable: true, expectedDocumentIds: ['x'] },
      'A question that no document answers has no expected documents or texts',
    ],
    [
      { isUnanswerable: true, mustNotContain: ['eight'] },
      'A question that no document answers has no expected documents or texts',
    ],
    [{ expectedDocumentIds: ['x'], mustContain: [' '] }, 'Write a text, or remove it'],
    [{ expectedDocumentIds: ['x'], mustContain: ['x'.repeat(201)] }, 'At most 200 characters'],
    [{ expectedDocumentIds: ['x'], mustNotContain: Array(6).fill('x') }, 'At most 5 texts'],
  ])('is rejected as %j', async (expectation, message) => {
    const { status, body } = await addQuestion('When do doors close?', expectation)
    expect([status, body.message]).toEqual([400, message])
    expect((await getBench()).questions).toEqual([])
  })

  it('is found in the quotations, regardless of case and spaces', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at EIGHT. Windows close at nine.')
    const expectedDocumentIds = [hours]
    await addQuestion('When do doors close?', { expectedDocumentIds, mustContain: ['close at  eight'] })
    await addQuestion('When do the doors close?', { expectedDocumentIds, mustContain: ['eight', 'ten'] })
    await addQuestion('And when do doors close?', { expectedDocumentIds, mustNotContain: ['Eight', 'ten'] })
    const { passed, results } = await runBench()
    expect(passed).toBe(1)
    expect(results.map(({ isPassed, missing, unwanted }) => ({ isPassed, missing, unwanted }))).toEqual([
      { isPassed: true, missing: [], unwanted: [] },
      { isPassed: false, missing: ['ten'], unwanted: [] },
      { isPassed: false, missing: [], unwanted: ['Eight'] },
    ])
    expect(results[0]?.answer).toMatchObject({ isRefused: false, quotes: [{ documentId: hours }] })
  })

  it('is a refusal of a question that no document answers', async () => {
    await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('Who repairs bicycles?', { isUnanswerable: true })
    await addQuestion('When do doors close?', { isUnanswerable: true })
    const { passed, meanRank, results } = await runBench()
    expect([passed, meanRank]).toEqual([1, null])
    expect(results.map(({ isPassed, answer }) => [isPassed, answer?.isRefused])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('is kept with the question, and a change of it makes the question a new one', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    const expectation = { expectedDocumentIds: [hours], mustContain: ['eight'], mustNotContain: ['nine'] }
    const { body: stored } = await addQuestion('When do doors close?', expectation)
    expect(stored).toMatchObject({ mustContain: ['eight'], mustNotContain: ['nine'], isUnanswerable: false })
    await runBench()
    expect((await runBench()).results[0]?.change).toBe('same')
    const params = { id: channelId, questionId: stored._id }
    const body = { question: stored.question, expectedDocumentIds: [], isUnanswerable: true }
    await app.call(testQuestionsApi.update, { as: admin, params, body })
    const { _id, updatedAt, ...changed } = { ...stored, expected: [], mustContain: [], mustNotContain: [] }
    expect((await getBench()).questions).toMatchObject([{ ...changed, isUnanswerable: true }])
    expect((await runBench()).results[0]?.change).toBe('new')
  })

  it('is not shown once its document has been deleted', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', { expectedDocumentIds: [hours] })
    const { _id: runId } = await runBench()
    await app.call(documentsApi.remove, { as: admin, params: { id: hours } })
    const { body } = await app.call(testQuestionsApi.getRun, { as: admin, params: { id: channelId, runId } })
    const gone = { documentId: hours, title: '(deleted document)', text: '' }
    expect(body.results[0]?.answer?.quotes).toEqual([gone])
  })

  it('is unknown in a run of an earlier version, where a question passed when its document was found', async () => {
    const earlier = { questionId: 'q', question: 'When?', expected: [], change: 'new', passages: [] }
    const results = [
      { ...earlier, isFound: true, rank: 1 },
      { ...earlier, isFound: false, rank: null },
    ]
    const run = { id: 'r', channel_id: channelId, ran_at: 1, note: '', total: 2, found: 1, mean_rank: 1 }
    await app.deps.db
      .insertInto('test_runs')
      .values({ ...run, results: JSON.stringify(results) })
      .execute()
    const params = { id: channelId, runId: 'r' }
    const { body } = await app.call(testQuestionsApi.getRun, { as: admin, params })
    expect(body).toMatchObject({
      passed: 1,
      results: [{ isPassed: true, answer: null }, { isPassed: false }],
    })
  })
})

const subjects = ['doors', 'windows', 'shutters', 'gates', 'cellars']

/** Adds five questions that a document answers, and five that share only a word with it. */
async function addLearningQuestions(): Promise<void> {
  const text = subjects.map((subject) => `The ${subject} close at eight on Monday.`).join('\n\n')
  const hours = await uploadApproved('hours.txt', text)
  for (const subject of subjects) {
    await addQuestion(`When do the ${subject} close on Monday?`, { expectedDocumentIds: [hours] })
    await addQuestion(`Which ${subject} did the carpenter paint yellow last summer?`, {
      isUnanswerable: true,
    })
  }
}

describe('a channel’s own limit', () => {
  async function ask(question: string): Promise<string> {
    const member = await createUser(app.deps, { channels: [channelId] })
    const chat = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
    const params = { channelId, chatId: chat.body._id }
    await app.call(chatsApi.send, { as: member, params, body: { message: question } })
    const { body } = await app.call(chatsApi.get, { as: member, params, query: {} })
    return body.messages.at(-1)?.content ?? ''
  }

  it('is learned by a run, recorded, and used in answers', async () => {
    await addLearningQuestions()
    const nearMiss = 'Do the doors and windows open on Sunday morning?'
    expect(await ask(nearMiss)).toContain('The doors close at eight')
    await runBench()
    const { minMatch } = await getBench()
    expect(minMatch).toBeGreaterThan(0.23)
    expect(await ask(nearMiss)).toBe('I couldn’t find this in the approved documents of this channel.')
    expect(await ask('When do the doors close on Monday?')).toContain('eight')
    const { results, passed, total } = await runBench()
    expect(passed, JSON.stringify(results.filter(({ isPassed }) => !isPassed))).toBe(total)
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'test-questions.changed')
      .where('after', 'like', '%minMatch%')
      .execute()
    expect(entries).toMatchObject([{ after: expect.stringContaining(String(minMatch)) }])
  })

  it('is given up when too few questions are left to learn it from', async () => {
    await addLearningQuestions()
    await runBench()
    const { questions } = await getBench()
    const params = { id: channelId, questionId: questions.find((q) => q.isUnanswerable)?._id ?? '' }
    await app.call(testQuestionsApi.remove, { as: admin, params })
    await runBench()
    expect((await getBench()).minMatch).toBeNull()
  })
})

describe('comparing the answers before and after a change of a document', () => {
  it('needs canManageDocuments, a known document, and a pending version to approve', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    const member = await createUser(app.deps, { channels: [channelId] })
    const restricted = await createAdmin(app.deps, { permissions: { canManageDocuments: false } })
    for (const as of [member, restricted])
      expect((await compare(hours, 'remove', as)).body.code).toBe('permission.denied')
    expect((await compare('none', 'remove')).status).toBe(404)
    const { status, body } = await compare(hours, 'approve')
    expect([status, body.code]).toEqual([409, 'document.not_pending'])
  })

  it('is refused for a document that cannot be read, and leaves nothing in the index', async () => {
    await addQuestion('Who repairs bicycles?', { isUnanswerable: true })
    const pending = await upload('bicycles.txt', 'Kwame repairs bicycles.')
    app.useFirstServer()
    vi.spyOn(app.deps.passageIndex, 'search').mockRejectedValueOnce(new Error('broken'))
    await uploadApproved('hours.txt', 'Doors close at eight.')
    expect((await compare(pending, 'approve')).status).toBe(500)
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
    expect((await compare(pending, 'approve')).status).toBe(200)
    await app.deps.files.remove(
      (
        await app.deps.db
          .selectFrom('document_versions')
          .select('file_key')
          .where('document_id', '=', pending)
          .executeTakeFirstOrThrow()
      ).file_key,
    )
    expect((await compare(pending, 'approve')).status).toBeGreaterThanOrEqual(400)
  })

  it('does nothing without test questions', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    expect((await compare(hours, 'remove')).body).toEqual({ total: 0, changes: [] })
  })

  it('runs only once at a time in a channel', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', { expectedDocumentIds: [hours] })
    await app.deps.db
      .insertInto('test_run_leases')
      .values({ channel_id: channelId, owner: 'other', lease_until: Date.UTC(2100, 0) })
      .execute()
    expect((await compare(hours, 'remove')).body.code).toBe('test.running')
  })

  it('lists what is lost with a document, while answers still use it', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    const gloves = await uploadApproved('gloves.txt', 'Nitrile gloves are needed.')
    await addQuestion('When do doors close?', { expectedDocumentIds: [hours] })
    await addQuestion('Which gloves are needed?', { expectedDocumentIds: [gloves] })
    const { body } = await compare(hours, 'remove')
    expect(body).toMatchObject({
      total: 2,
      changes: [
        {
          question: 'When do doors close?',
          change: 'lost',
          before: { isRefused: false, quotes: [{ documentId: hours, text: 'Doors close at eight.' }] },
          after: { isRefused: true, quotes: [] },
        },
      ],
    })
    expect(body.changes).toHaveLength(1)
    expect((await runBench()).passed).toBe(2)
  })

  it('lists what is gained with a pending document, which no other search finds meanwhile', async () => {
    const gloves = await uploadApproved('gloves.txt', 'Nitrile gloves are needed.')
    const pending = await upload('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', { expectedDocumentIds: [pending] })
    await addQuestion('Which gloves are needed?', { expectedDocumentIds: [gloves] })
    await addQuestion('Do doors close at all?', { isUnanswerable: true })
    const { body } = await compare(pending, 'approve')
    expect(body.changes.map(({ question, change }) => [question, change])).toEqual([
      ['When do doors close?', 'gained'],
      ['Do doors close at all?', 'lost'],
    ])
    expect((await runBench()).results.map(({ isPassed }) => isPassed)).toEqual([false, true, true])
    expect(await app.deps.passageIndex.generations('', 10)).toHaveLength(1)
  })

  it('compares a new version with the approved one', async () => {
    const hours = await uploadApproved('hours.txt', 'Doors close at eight.')
    await addQuestion('When do doors close?', { expectedDocumentIds: [hours], mustContain: ['eight'] })
    const file = { name: 'hours.txt', content: 'Doors close at nine.' }
    await app.upload(documentsApi.replace, { as: admin, params: { id: hours }, file })
    const { body } = await compare(hours, 'approve')
    expect(body.changes).toMatchObject([
      {
        change: 'lost',
        before: { quotes: [{ text: 'Doors close at eight.' }] },
        after: { quotes: [{ text: 'Doors close at nine.' }] },
      },
    ])
  })
})
