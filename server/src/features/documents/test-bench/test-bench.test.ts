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
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import type { Deps } from '../../../deps.ts'

let app: TestApp
let admin: TestUser
let channelId: string

async function open(deps: Partial<Deps> = {}) {
  app = await buildTestApp({ deps })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
}
beforeEach(() => open())
afterEach(() => app.close())

async function approved(name: string, content: string, into = channelId): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId: into },
    file: { name, content },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
  await app.runJobs()
  return body._id
}

function add(question: string, expectedDocumentIds: string[], id = channelId) {
  return app.call(testQuestionsApi.add, {
    as: admin,
    params: { id },
    body: { question, expectedDocumentIds },
  })
}
async function bench(id = channelId) {
  return (await app.call(testQuestionsApi.list, { as: admin, params: { id } })).body
}
function run(note?: string) {
  return app.call(testQuestionsApi.run, {
    as: admin,
    params: { id: channelId },
    body: note === undefined ? {} : { note },
  })
}
function openRun(runId: string, id = channelId) {
  return app.call(testQuestionsApi.getRun, { as: admin, params: { id, runId } })
}
function removeDocument(id: string) {
  return app.call(documentsApi.remove, { as: admin, params: { id } })
}

/** Calls every endpoint of the test bench for one channel. */
function everyCall(as: TestUser, id: string) {
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
    const without = await createAdmin(app.deps, { permissions: { canManageDocuments: false } })
    for (const as of [member, without])
      for (const { status, body } of await everyCall(as, channelId))
        expect([status, body.code]).toEqual([403, 'permission.denied'])
  })

  it('rejects unknown channels and channels without documents', async () => {
    for (const { status } of await everyCall(admin, 'none')) expect(status).toBe(404)
    const readyMade = await createTestChannel(app.deps, { useAssistant: true, openaiAssistantId: 'asst_1' })
    for (const { status, body } of await everyCall(admin, readyMade))
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
  ])('rejects the question %j with the expected documents %j', async (question, documents, words) => {
    const { status, body } = await add(question, documents)
    expect([status, body.message]).toEqual([400, words])
    expect((await bench()).questions).toEqual([])
  })

  it('accepts only documents of its own channel', async () => {
    const ours = await approved('hours.txt', 'Doors close at eight.')
    const elsewhere = await createTestChannel(app.deps)
    const theirs = await approved('theirs.txt', 'Windows close at nine.', elsewhere)
    for (const wrong of [theirs, 'none']) {
      const { status, body } = await add('When do doors close?', [ours, wrong])
      expect([status, body.message]).toEqual([400, 'Choose documents of this channel'])
      expect(body.fields).toEqual({ expectedDocumentIds: 'Choose documents of this channel' })
    }
    expect((await bench()).questions).toEqual([])
  })

  it('of another channel cannot be changed or deleted', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
    const { body: kept } = await add('When do doors close?', [document])
    const elsewhere = await createTestChannel(app.deps)
    const theirs = await approved('theirs.txt', 'Windows close at nine.', elsewhere)
    const params = { id: elsewhere, questionId: kept._id }
    const body = { question: 'Taken over?', expectedDocumentIds: [theirs] }
    expect((await app.call(testQuestionsApi.update, { as: admin, params, body })).status).toBe(404)
    expect((await app.call(testQuestionsApi.remove, { as: admin, params })).status).toBe(404)
    expect((await bench()).questions).toEqual([kept])
  })

  it('is stored on one line without duplicate documents, changed and deleted', async () => {
    const [first, second] = [await approved('a.txt', 'Doors close.'), await approved('b.txt', 'Doors open.')]
    const { status, body: kept } = await add(' When do\n doors close? ', [first, first])
    expect([status, kept.question]).toEqual([200, 'When do doors close?'])
    expect(kept.expected).toEqual([{ _id: first, title: 'a.txt', isDeleted: false }])
    app.advance(60_000)
    const params = { id: channelId, questionId: kept._id }
    const body = { question: 'When do doors open?', expectedDocumentIds: [second] }
    const { body: changed } = await app.call(testQuestionsApi.update, { as: admin, params, body })
    expect(changed).toMatchObject({ _id: kept._id, question: body.question, expected: [{ _id: second }] })
    expect(changed.updatedAt > kept.updatedAt).toBe(true)
    expect((await bench()).questions).toEqual([changed])
    expect((await app.call(testQuestionsApi.remove, { as: admin, params })).status).toBe(200)
    expect((await app.call(testQuestionsApi.remove, { as: admin, params })).status).toBe(404)
    expect((await bench()).questions).toEqual([])
  })

  it('is limited to 200 per channel, even with concurrent requests', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
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
      ['One?', 'Two?', 'Three?'].map((words) => add(`${words} More`, [document])),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(responses.find(({ status }) => status === 409)?.body.code).toBe('test.full')
    expect((await bench()).questions).toHaveLength(testQuestionMaximum)
  })
})

describe('a run', () => {
  it('is rejected without questions and with a note that is too long', async () => {
    const { status, body } = await run()
    expect([status, body.code]).toEqual([409, 'test.no_questions'])
    expect((await run('x'.repeat(201))).status).toBe(400)
    const document = await approved('hours.txt', 'Doors close at eight.')
    await add('When do doors close?', [document])
    expect((await run()).status).toBe(200)
  })

  it('runs once at a time per channel and takes over from a crashed run', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
    await add('When do doors close?', [document])
    const { promise: othersAreAnswered, resolve: letFinish } = Promise.withResolvers<void>()
    const search = app.deps.passageIndex.search.bind(app.deps.passageIndex)
    vi.spyOn(app.deps.passageIndex, 'search').mockImplementation(async (query) => {
      await othersAreAnswered
      return search(query)
    })
    let answered = 0
    const runs = ['first', 'second', 'third'].map(async (note) => {
      const response = await run(note)
      answered += 1
      if (answered === 2) letFinish()
      return response
    })
    const responses = await Promise.all(runs)
    const codes = responses.map(({ status, body }) => (status === 200 ? 'ran' : body.code)).toSorted()
    expect(codes).toEqual(['ran', 'test.running', 'test.running'])
    expect((await bench()).runs).toHaveLength(1)
    const until = app.deps.now() + 60_000
    const died = { channel_id: channelId, owner: 'gone', lease_until: until }
    await app.deps.db.insertInto('test_run_leases').values(died).execute()
    expect((await run()).body.code).toBe('test.running')
    app.advance(60_001)
    expect((await run()).status).toBe(200)
  })

  it('releases the lease when it fails', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
    await add('When do doors close?', [document])
    vi.spyOn(app.deps.passageIndex, 'search').mockRejectedValueOnce(new Error('broken'))
    expect((await run()).status).toBe(500)
    expect((await bench()).runs).toEqual([])
    expect((await run()).status).toBe(200)
  })

  it('reports for each question what was found, at which rank and why', async () => {
    const hours = await approved('hours.txt', `# House\n\nDoors close at eight. ${'And so on. '.repeat(60)}`)
    const gloves = await approved('gloves.txt', 'Nitrile gloves are needed for epoxy resin.')
    await add('When do doors close?', [hours])
    await add('Which gloves are needed?', [hours, gloves])
    await add('Who repairs bicycles?', [gloves])
    const { body } = await run('Before')
    expect(body).toMatchObject({ note: 'Before', total: 3, found: 2, meanRank: 1 })
    const [doors, which, bicycles] = body.results
    expect(doors).toMatchObject({ isFound: true, rank: 1, change: 'new' })
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
    expect(which).toMatchObject({ isFound: true, rank: 1 })
    expect(bicycles).toMatchObject({ isFound: false, rank: null, passages: [] })
    expect((await openRun(body._id)).body).toEqual(body)
    const { results: _, ...summary } = body
    expect((await bench()).runs).toEqual([summary])
  })

  it('sends the same search to the index as a reply', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
    const question = 'When do doors close?'
    await add(question, [document])
    const member = await createUser(app.deps, { channels: [channelId] })
    const chat = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
    const search = vi.spyOn(app.deps.passageIndex, 'search')
    const params = { channelId, chatId: chat.body._id }
    await app.call(chatsApi.send, { as: member, params, body: { message: question } })
    await run()
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
    await open({ assistant: { chat: null, external: null, embedder: { model: 'test', embed } } })
    const document = await approved('hours.txt', 'Doors close at eight.')
    await add('Wann ist Feierabend?', [document])
    const { body } = await run()
    expect(body.results[0]?.passages[0]).toMatchObject({ wordsRank: null, meaningRank: 1, isExpected: true })
    const spent = await app.deps.db
      .selectFrom('llm_usage')
      .select('input')
      .where('user_id', '=', admin.id)
      .where('channel_id', '=', channelId)
      .execute()
    expect(spent).toEqual([{ input: 7 }])
  })

  it('is compared with the previous run, question by question', async () => {
    const hours = await approved('hours.txt', 'Doors close at eight.')
    const gloves = await approved('gloves.txt', 'Nitrile gloves are needed.')
    await add('When do doors close?', [hours])
    await add('Who repairs bicycles?', [gloves])
    const { body: reworded } = await add('Which gloves?', [gloves])
    await run('before')
    await approved('doors.txt', 'Doors of the shed.')
    const params = { id: channelId, questionId: reworded._id }
    const body = { question: 'Which nitrile gloves?', expectedDocumentIds: [gloves] }
    await app.call(testQuestionsApi.update, { as: admin, params, body })
    await removeDocument(hours)
    await add('Where is the shed?', [gloves])
    const { body: after } = await run('after')
    expect(after.results.map(({ change, isFound }) => [change, isFound])).toEqual([
      ['lost', false],
      ['same', false],
      ['new', true],
      ['new', false],
    ])
    const bicycles = await approved('bicycles.txt', 'Kwame repairs bicycles.')
    const repairs = after.results[1]?.questionId ?? ''
    await app.call(testQuestionsApi.update, {
      as: admin,
      params: { id: channelId, questionId: repairs },
      body: { question: 'Who repairs bicycles?', expectedDocumentIds: [bicycles] },
    })
    expect((await run()).body.results[1]?.change).toBe('new')
  })

  it('hides documents that were deleted since', async () => {
    const hours = await approved('hours.txt', '# House\n\nDoors close at eight.')
    await add('When do doors close?', [hours])
    const { body: before } = await run()
    await removeDocument(hours)
    const gone = { _id: hours, title: '(deleted document)', isDeleted: true }
    expect((await bench()).questions[0]?.expected).toEqual([gone])
    const { bytes, body: seen } = await openRun(before._id)
    expect(bytes.toString()).not.toMatch(/hours|House|close at eight/)
    expect(seen.results[0]).toMatchObject({ isFound: true, expected: [gone] })
    const { body: after } = await run()
    expect(after).toMatchObject({ found: 0, meanRank: null })
    expect(after.results[0]).toMatchObject({ isFound: false, change: 'lost', expected: [gone], passages: [] })
  })

  it('finds nothing in a document that is not approved', async () => {
    const { body: pending } = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId },
      file: { name: 'secret.txt', content: 'The vault code is heron-42.' },
    })
    await approved('hours.txt', 'The vault is closed.')
    await add('What is the vault code?', [pending._id])
    const { bytes, body } = await run()
    expect(body.found).toBe(0)
    expect(bytes.toString()).not.toContain('heron')
  })

  it('is listed newest first among the last 20 and cannot be opened from another channel', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
    await add('When do doors close?', [document])
    for (let n = 0; n <= testRunMaximum; n += 1) await run(`run ${n}`)
    const { runs } = await bench()
    expect(runs).toHaveLength(testRunMaximum)
    expect([runs[0]?.note, runs.at(-1)?.note]).toEqual(['run 20', 'run 1'])
    const elsewhere = await createTestChannel(app.deps)
    expect((await openRun(runs[0]?._id ?? '', elsewhere)).status).toBe(404)
    expect((await openRun('none')).status).toBe(404)
  })

  it('is deleted with its channel', async () => {
    const document = await approved('hours.txt', 'Doors close at eight.')
    await add('When do doors close?', [document])
    await run()
    await app.call(channelsApi.remove, { as: admin, params: { id: channelId } })
    for (const table of ['test_questions', 'test_runs', 'test_run_leases'] as const)
      expect(await app.deps.db.selectFrom(table).selectAll().execute(), table).toEqual([])
  })
})

describe('trying a question', () => {
  it('shows the passages and stores nothing', async () => {
    const hours = await approved('hours.txt', 'Doors close at eight.')
    function ask(question: string) {
      return app.call(testQuestionsApi.try, { as: admin, params: { id: channelId }, body: { question } })
    }
    expect((await ask('ab')).status).toBe(400)
    expect((await ask('When do doors close?')).body.passages).toMatchObject([
      { documentId: hours, excerpt: 'Doors close at eight.', wordsRank: 1 },
    ])
    expect((await ask('Who repairs bicycles?')).body.passages).toEqual([])
    expect(await bench()).toEqual({ questions: [], runs: [] })
  })
})
