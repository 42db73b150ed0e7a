import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
let member: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps, { allowProposals: true })
  member = await createUser(app.deps, { name: 'Linh', channels: [channelId] })
})
afterEach(() => app.close())

interface ProposalOptions {
  as?: TestUser
  id?: string
  name?: string
  content?: string
  headers?: Record<string, string>
}

function propose({
  as = member,
  id = channelId,
  name = 'bus.txt',
  content = 'The bus leaves at six.',
  headers = {},
}: ProposalOptions = {}) {
  return app.upload(documentsApi.propose, { as, params: { id }, file: { name, content }, headers })
}

async function listOwn(as = member) {
  return (await app.call(documentsApi.proposals, { as, params: { id: channelId } })).body
}

function withdraw(documentId: string, as = member) {
  return app.call(documentsApi.withdraw, { as, params: { id: channelId, documentId } })
}

function listDocumentIds() {
  return app.deps.db.selectFrom('documents').select('id').execute()
}

describe('POST /channels/:id/proposals', () => {
  it('rejects callers who are not members, including administrators', async () => {
    for (const as of [await createUser(app.deps), admin]) expect((await propose({ as })).status).toBe(404)
    expect((await propose({ id: 'unknown' })).status).toBe(404)
    expect(await listDocumentIds()).toEqual([])
  })

  it('rejects channels that do not accept proposals, including ready-made assistants', async () => {
    const closed = await createTestChannel(app.deps)
    const { body: readyMade } = await app.call(channelsApi.create, {
      as: admin,
      body: {
        name: 'Guide',
        description: 'Words',
        useAssistant: true,
        openaiAssistantId: 'guide',
        allowProposals: true,
      },
    })
    expect(readyMade.allowProposals).toBe(false)
    const member = await createUser(app.deps, { channels: [closed, readyMade._id] })
    for (const id of [closed, readyMade._id]) {
      const { status, body } = await propose({ as: member, id })
      expect([status, body.message]).toEqual([403, 'This channel does not accept document proposals'])
    }
    expect(await listDocumentIds()).toEqual([])
  })

  it('applies the same rules to the file as an upload', async () => {
    await propose()
    const refused = [
      [{ name: 'bus.exe' }, 'document.type'],
      [{ name: 'bus.pdf', content: 'no pdf' }, 'document.content'],
      [{ name: 'copy.txt' }, 'document.duplicate'],
    ] as const
    for (const [sent, code] of refused) expect((await propose(sent)).body.code).toBe(code)
    expect(await listDocumentIds()).toHaveLength(1)
  })

  it('names a document with the same content only to those who may see it', async () => {
    const text = 'This channel already has a document with the same content'
    const own = await propose()
    const other = await createUser(app.deps, { channels: [channelId] })
    const hidden = await propose({ as: other, name: 'mine.txt' })
    expect([hidden.body.code, hidden.body.message]).toEqual(['document.duplicate', `${text}.`])
    expect((await propose({ name: 'again.txt' })).body.message).toBe(`${text}: “bus.txt”.`)
    await app.call(documentsApi.approve, { as: admin, params: { id: own.body._id } })
    const named = await propose({ as: other, name: 'mine.txt' })
    expect(named.body.message).toBe(`${text}: “bus.txt”.`)
  })

  it('stores a pending document without giving the member any permission', async () => {
    const { status, body } = await propose()
    expect(status).toBe(200)
    expect(body).toEqual({
      _id: expect.any(String),
      title: expect.any(String),
      originalName: 'bus.txt',
      fileSize: 22,
      status: 'pending',
      createdAt: expect.any(String),
      decidedAt: null,
      rejectionReason: null,
      isInUse: false,
    })
    const { body: listed } = await app.call(documentsApi.list, { as: admin, query: { status: 'pending' } })
    expect(listed).toMatchObject([{ _id: body._id, isProposal: true, uploadedBy: { name: 'Linh' } }])
    const params = { id: body._id }
    expect((await app.call(documentsApi.download, { as: member, params })).status).toBe(404)
    expect((await app.call(documentsApi.text, { as: member, params })).status).toBe(404)
    expect((await app.call(documentsApi.approve, { as: member, params })).status).toBe(403)
    expect((await app.call(documentsApi.get, { as: member, params })).status).toBe(403)
  })

  it('creates one proposal per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'propose-key-0001' }
    const responses = await Promise.all([propose({ headers }), propose({ headers })])
    expect(responses.map(({ body }) => body._id)).toEqual([responses[0]?.body._id, responses[0]?.body._id])
    expect(await listDocumentIds()).toHaveLength(1)
  })

  it('limits a member to 20 pending proposals, even with concurrent requests', async () => {
    for (let i = 0; i < 19; i++) await propose({ content: `Line ${i}` })
    const responses = await Promise.all([1, 2].map((i) => propose({ content: `At once ${i}` })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { body } = await propose({ content: 'One more' })
    expect(body.message).toBe('You have reached the limit of pending proposals in this channel')
    const other = await createUser(app.deps, { channels: [channelId] })
    expect((await propose({ as: other, content: 'From another member' })).status).toBe(200)
    const [first] = await listOwn()
    await app.call(documentsApi.reject, { as: admin, params: { id: first?._id ?? '' } })
    expect((await propose({ content: 'One more' })).status).toBe(200)
  })
})

describe('undoing the rejection of a proposal', () => {
  it('may exceed the limit, after which the member can propose nothing more', async () => {
    const { body: first } = await propose()
    await app.call(documentsApi.reject, { as: admin, params: { id: first._id } })
    for (let i = 0; i < 20; i++) await propose({ content: `Line ${i}` })
    const { status } = await app.call(documentsApi.undoReject, { as: admin, params: { id: first._id } })
    expect(status).toBe(200)
    expect((await listOwn()).filter(({ status }) => status === 'pending')).toHaveLength(21)
    const { body } = await propose({ content: 'One more' })
    expect(body.code).toBe('document.proposals_full')
  })
})

describe('GET /channels/:id/proposals', () => {
  it('lists the caller’s own proposals, newest first, with their status', async () => {
    const { body: bus } = await propose()
    app.advance(1000)
    const { body: menu } = await propose({ name: 'menu.txt', content: 'Soup on Friday.' })
    const other = await createUser(app.deps, { channels: [channelId] })
    await propose({ as: other, content: 'From another member' })
    await app.call(documentsApi.approve, { as: admin, params: { id: bus._id } })
    await app.upload(documentsApi.replace, {
      as: admin,
      params: { id: bus._id },
      file: { name: 'bus-2.txt', content: 'The bus leaves at seven.' },
    })
    await app.call(documentsApi.reject, {
      as: admin,
      params: { id: menu._id },
      body: { reason: 'Last year’s menu' },
    })
    expect(await listOwn()).toMatchObject([
      {
        _id: menu._id,
        status: 'rejected',
        decidedAt: expect.any(String),
        rejectionReason: 'Last year’s menu',
      },
      {
        _id: bus._id,
        status: 'approved',
        originalName: 'bus.txt',
        decidedAt: expect.any(String),
        rejectionReason: null,
      },
    ])
    expect((await listOwn()).map(({ isInUse }) => isInUse)).toEqual([false, false])
    await app.runJobs()
    expect((await listOwn()).map(({ isInUse }) => isInUse)).toEqual([false, true])
    const stranger = await createUser(app.deps)
    const response = await app.call(documentsApi.proposals, { as: stranger, params: { id: channelId } })
    expect(response.status).toBe(404)
  })
})

describe('DELETE /channels/:id/proposals/:documentId', () => {
  it('returns 404 unless the proposal is the caller’s own and pending', async () => {
    const { body: mine } = await propose()
    const other = await createUser(app.deps, { channels: [channelId] })
    const uploaded = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId },
      file: { name: 'rules.txt', content: 'Rules.' },
    })
    expect((await withdraw(mine._id, other)).status).toBe(404)
    expect((await withdraw(mine._id, admin)).status).toBe(404)
    expect((await withdraw(uploaded.body._id)).status).toBe(404)
    await app.call(documentsApi.approve, { as: admin, params: { id: mine._id } })
    expect((await withdraw(mine._id)).status).toBe(404)
    expect(await listDocumentIds()).toHaveLength(2)
  })

  it('keeps a proposal that was replaced by another version', async () => {
    const { body } = await propose()
    await app.upload(documentsApi.replace, {
      as: admin,
      params: { id: body._id },
      file: { name: 'bus-2.txt', content: 'The bus leaves at seven.' },
    })
    expect((await withdraw(body._id)).status).toBe(404)
    expect(await listDocumentIds()).toHaveLength(1)
  })

  it('withdraws the proposal unless a concurrent decision comes first', async () => {
    const { body } = await propose({ name: 'timetable.txt' })
    const response = await withdraw(body._id)
    expect([response.status, response.body.message]).toEqual([200, '“timetable.txt” was withdrawn'])
    expect(await listOwn()).toEqual([])
    const { body: again } = await propose()
    const [withdrawn, approved] = await Promise.all([
      withdraw(again._id),
      app.call(documentsApi.approve, { as: admin, params: { id: again._id } }),
    ])
    const remaining = (await app.call(documentsApi.list, { as: admin })).body as Document[]
    expect([withdrawn.status, approved.status]).toEqual(remaining.length === 0 ? [200, 404] : [404, 200])
  })
})
