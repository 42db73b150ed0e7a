import { analyticsApi } from '@lyceum/contract/analytics'
import { assistantsApi } from '@lyceum/contract/assistants'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { invitationsApi } from '@lyceum/contract/invitations'
import { overviewApi } from '@lyceum/contract/overview'
import { permissionNames } from '@lyceum/contract/permissions'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const day = 86_400_000

let app: TestApp
let system: TestUser
let channelId: string
beforeEach(async () => {
  app = await buildTestApp()
  channelId = await createTestChannel(app.deps)
  system = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId] })
})
afterEach(() => app.close())

function read(as: TestUser | null = system) {
  return app.call(overviewApi.get, { as })
}

async function readAttention(as = system) {
  return Object.fromEntries((await read(as)).body.attention.map(({ kind, count }) => [kind, count]))
}

async function upload(name: string): Promise<string> {
  const { body } = await app.upload(documentsApi.upload, {
    as: system,
    fields: { channelId },
    file: { name, content: `The words of ${name}.` },
  })
  return body._id
}

async function createProblems(): Promise<void> {
  await upload('pending.txt')
  const failed = await upload('failed.txt')
  await app.call(documentsApi.approve, { as: system, params: { id: failed } })
  await app.runJobs()
  await app.deps.db
    .updateTable('document_versions')
    .set({ index_state: 'failed' })
    .where('document_id', '=', failed)
    .execute()
  await app.call(invitationsApi.create, {
    as: system,
    body: {
      email: 'guest@example.org',
      fullName: 'A Guest',
      allowedChannels: [],
      twoFactorExpiryEnabled: false,
      twoFactorExpiryDays: 30,
    },
  })
  await app.deps.db.updateTable('invitations').set({ expires_at: 0 }).execute()
  const chat = await app.call(chatsApi.create, { as: system, params: { channelId }, body: {} })
  const params = { channelId, chatId: chat.body._id }
  await app.call(chatsApi.send, { as: system, params, body: { message: 'Who painted the Mona Lisa?' } })
}

describe('GET /admin/overview', () => {
  it('rejects visitors and users', async () => {
    expect((await read(null)).status).toBe(401)
    expect((await read(await createUser(app.deps))).status).toBe(403)
  })

  it('reports nothing about areas that the administrator has no permission for', async () => {
    await createProblems()
    const none = Object.fromEntries(permissionNames.map((name) => [name, name === 'canAccessAdminPanel']))
    const { status, body } = await read(await createAdmin(app.deps, { permissions: none }))
    expect([status, body]).toEqual([200, { attention: [], parts: [], week: null }])
  })

  it('reports nothing for a calm installation except its missing mail server', async () => {
    await app.call(documentsApi.approve, { as: system, params: { id: await upload('handbook.txt') } })
    await app.runJobs()
    const { body } = await read()
    expect(body.attention).toEqual([])
    expect(body.parts.map(({ part }) => part)).toContain('mail')
    expect(body.week?.totals.messages).toBe(0)
  })

  it('counts a channel whose only document could not be indexed by that document alone', async () => {
    const failed = await upload('failed.txt')
    await app.call(documentsApi.approve, { as: system, params: { id: failed } })
    await app.deps.db.updateTable('document_versions').set({ index_state: 'failed' }).execute()
    const channels = (await app.call(channelsApi.list, { as: system, query: {} })).body
    expect(channels).toMatchObject([{ failedDocumentCount: 1, answerableDocumentCount: 0 }])
    const attention = await readAttention()
    expect(attention['failed-documents']).toBe(1)
    expect(attention).not.toHaveProperty('channels-without-documents')
  })

  it('counts what waits, but no failed document whose next version waits for approval', async () => {
    await createProblems()
    expect(await readAttention()).toEqual({
      'pending-documents': 1,
      'failed-documents': 1,
      'expired-invitations': 1,
      'unanswered-questions': 1,
    })
    const [failed] = (
      await app.call(documentsApi.list, { as: system, query: { status: 'approved', index: 'failed' } })
    ).body as Document[]
    await app.upload(documentsApi.replace, {
      as: system,
      params: { id: failed?._id ?? '' },
      file: { name: 'better.txt', content: 'Words that can be read.' },
    })
    expect(await readAttention()).toMatchObject({ 'pending-documents': 2 })
    expect(await readAttention()).not.toHaveProperty('failed-documents')
  })

  it('counts channels in use that have no documents to answer from', async () => {
    const item = { kind: 'channels-without-documents', count: 1, channelId }
    const reviewer = await createAdmin(app.deps, { permissions: { canUploadDocuments: false } })
    expect(await readAttention(reviewer)).toEqual({})
    expect((await read()).body.attention).toEqual([item])
    const other = await createTestChannel(app.deps)
    expect(await readAttention()).toMatchObject({ 'channels-without-documents': 2 })
    const params = { id: other }
    await app.call(channelsApi.archive, { as: system, params, body: { isArchived: true } })
    expect(await readAttention()).toMatchObject({ 'channels-without-documents': 1 })
    // What waits for approval is listed itself.
    await upload('pending.txt')
    expect(await readAttention()).toEqual({ 'pending-documents': 1 })
  })

  it('counts only strict channels without documents where a model answers', async () => {
    const withModel = await buildTestApp({ env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })
    try {
      const admin = await createAdmin(withModel.deps, { isSystemAdmin: true })
      await createTestChannel(withModel.deps)
      const strictId = await createTestChannel(withModel.deps, { strictDocumentsOnly: true })
      const { attention } = (await withModel.call(overviewApi.get, { as: admin })).body
      expect(attention).toEqual([{ kind: 'channels-without-documents', count: 1, channelId: strictId }])
    } finally {
      await withModel.close()
    }
  })

  it('counts channels in use whose ready-made assistant cannot reply', async () => {
    async function add(openaiAssistantId: string): Promise<string> {
      return createTestChannel(app.deps, { useAssistant: true, openaiAssistantId })
    }
    await app.call(assistantsApi.createPreset, {
      as: system,
      body: { assistantId: 'guide', name: 'Guide', model: 'gpt-4o' },
    })
    await add('guide')
    const missing = await add('missing')
    const { attention } = (await app.call(overviewApi.get, { as: system })).body
    expect(attention).toContainEqual({ kind: 'channels-without-assistant', count: 1, channelId: missing })
    await add('missing')
    const archived = await add('missing')
    const params = { id: archived }
    await app.call(channelsApi.archive, { as: system, params, body: { isArchived: true } })
    expect(await readAttention()).toEqual({
      'channels-without-model': 1,
      'channels-without-assistant': 2,
      'channels-without-documents': 1,
    })
    const editor = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    expect(await readAttention(editor)).toEqual({
      'channels-without-assistant': 2,
      'channels-without-documents': 1,
    })
  })

  it('counts only what the administrator may act on', async () => {
    await createProblems()
    const reviewer = await createAdmin(app.deps, {
      permissions: { canManageUsers: false, canViewAnalytics: false },
    })
    expect(await readAttention(reviewer)).toEqual({ 'pending-documents': 1, 'failed-documents': 1 })
  })

  it('shows the last seven days and those before, like the analytics page', async () => {
    await createProblems()
    const now = app.deps.now()
    const query = {
      from: new Date(now - 6 * day).toISOString().slice(0, 10),
      to: new Date(now).toISOString().slice(0, 10),
    }
    const { totals, before } = (await app.call(analyticsApi.get, { as: system, query })).body
    expect((await read()).body.week).toEqual({ totals, before })
    expect(totals).toMatchObject({ messages: 1, replies: 1, people: 1 })
  })
})
