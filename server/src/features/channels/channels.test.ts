import { type Channel, type ChannelInput, channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(() => app.close())

const custom = { name: 'Staff handbook', description: 'House rules', llmModel: 'gpt-4o' as const }

const unknownModel =
  'Unknown model. Choose one of these: gpt-4o, gpt-4o-mini, o1, o1-pro, o3-mini, o1-mini, gpt-4o-mini-search-preview'

describe('POST /channels', () => {
  it('requires canCreateChannels', async () => {
    const user = await createUser(app.deps)
    const admin = await createAdmin(app.deps, { permissions: { canCreateChannels: false } })
    for (const as of [user, admin]) {
      const { status, body } = await app.call(channelsApi.create, { as, body: custom })
      expect([status, body.message]).toEqual([403, 'You do not have permission to create channels'])
    }
  })

  it.each([
    [{ ...custom, name: ' ' }, 'Name is required'],
    [{ ...custom, description: '' }, 'Description is required'],
    [{ ...custom, llmModel: '' as const }, 'Language model is required'],
    [{ ...custom, llmModel: 'gpt-9' as never }, unknownModel],
    [{ ...custom, name: undefined as never }, 'Name is required'],
    [{ ...custom, useAssistant: true }, 'Assistant ID is required'],
    [{ ...custom, name: 'x'.repeat(501) }, 'At most 500 characters'],
  ])('rejects %j', async (body, message) => {
    const admin = await createAdmin(app.deps)
    const response = await app.call(channelsApi.create, { as: admin, body })
    expect([response.status, response.body.message]).toEqual([400, message])
    expect(await app.deps.db.selectFrom('channels').selectAll().execute()).toEqual([])
  })

  it('makes its creator a member and ignores server fields in the body', async () => {
    const admin = await createAdmin(app.deps)
    const body = { ...custom, wallpaper: 'http://elsewhere/x.png', _id: 'mine', users: [{ _id: 'x' }] }
    const { status, body: created } = await app.call(channelsApi.create, { as: admin, body })
    expect(status).toBe(200)
    expect(created).toMatchObject({
      name: custom.name,
      isAdmin: true,
      isMember: true,
      memberCount: 1,
      wallpaper: null,
    })
    expect(created._id).not.toBe('mine')
    expect(created.users).toEqual([{ _id: admin.id, email: admin.email, name: admin.name, isAdmin: false }])
  })
})

describe('GET /channels', () => {
  it('shows members only their own channels, without their configuration', async () => {
    const channelId = await createTestChannel(app.deps, { name: 'Ours', systemPrompt: 'secret prompt' })
    await createTestChannel(app.deps, { name: 'Theirs' })
    const user = await createUser(app.deps, { channels: [channelId] })
    await createUser(app.deps, { channels: [channelId], name: 'Another member' })
    const { body, bytes } = await app.call(channelsApi.list, { as: user })
    expect(body).toEqual([
      {
        _id: channelId,
        name: 'Ours',
        description: 'Created by a test',
        avatar: null,
        wallpaper: null,
        isAdmin: false,
        allowProposals: false,
        allowAttachments: true,
        allowPictures: false,
        setupProblem: 'no-documents-or-model',
        users: [{ _id: user.id, email: user.email, name: user.name }],
      },
    ])
    expect(bytes.toString()).not.toMatch(/secret prompt|Another member|gpt-4o/)
  })

  it('shows administrators all channels, in pages when requested', async () => {
    const admin = await createAdmin(app.deps)
    for (const name of ['A', 'B', 'C']) await createTestChannel(app.deps, { name })
    const { body } = await app.call(channelsApi.list, { as: admin, query: { limit: 2, skip: 2 } })
    expect(body).toMatchObject({
      total: 3,
      totalPages: 2,
      items: [{ name: 'C', isMember: false, memberCount: 0 }],
    })
  })

  it('searches literally', async () => {
    const admin = await createAdmin(app.deps)
    for (const name of ['100% cotton', '100 cotton', 'under_score'])
      await createTestChannel(app.deps, { name })
    async function searchNames(search: string) {
      return ((await app.call(channelsApi.list, { as: admin, query: { search } })).body as Channel[]).map(
        ({ name }) => name,
      )
    }
    expect(await searchNames('100%')).toEqual(['100% cotton'])
    expect(await searchNames('R_S')).toEqual(['under_score'])
  })
})

describe('GET /channels/{id}', () => {
  it('returns 404 for channels the user cannot see', async () => {
    const otherChannel = await createTestChannel(app.deps)
    const user = await createUser(app.deps)
    const seen = await app.call(channelsApi.get, { as: user, params: { id: otherChannel } })
    const missing = await app.call(channelsApi.get, { as: user, params: { id: 'missing' } })
    expect([seen.status, missing.status]).toEqual([404, 404])
    expect(seen.body).toEqual(missing.body)
  })

  it('shows its configuration with canManageChannels', async () => {
    const id = await createTestChannel(app.deps, { systemPrompt: 'Be brief.' })
    const admin = await createAdmin(app.deps)
    const { body } = await app.call(channelsApi.get, { as: admin, params: { id } })
    expect(body).toMatchObject({
      systemPrompt: 'Be brief.',
      llmModel: 'gpt-4o',
      isMember: false,
      isAdmin: true,
    })
  })

  it('returns the chat count only with canManageChannels', async () => {
    const id = await createTestChannel(app.deps)
    const user = await createUser(app.deps, { channels: [id] })
    const admin = await createAdmin(app.deps)
    await app.call(chatsApi.create, { as: user, params: { channelId: id }, body: {} })
    async function chatCount(as: typeof user) {
      return (await app.call(channelsApi.get, { as, params: { id } })).body.chatCount
    }
    expect([await chatCount(admin), await chatCount(user)]).toEqual([1, undefined])
    const listed = (await app.call(channelsApi.list, { as: admin })).body as Channel[]
    expect(listed[0]?.chatCount).toBeUndefined()
  })
})

describe('PUT /channels/{id}', () => {
  it('rejects unknown models, and names those that exist', async () => {
    const id = await createTestChannel(app.deps, { name: 'Before' })
    const admin = await createAdmin(app.deps)
    const body = { ...custom, llmModel: 'gpt-9' as never }
    const refused = await app.call(channelsApi.update, { as: admin, params: { id }, body })
    expect(refused).toMatchObject({
      status: 400,
      body: { message: unknownModel, fields: { llmModel: unknownModel } },
    })
    const { body: channel } = await app.call(channelsApi.get, { as: admin, params: { id } })
    expect(channel.name).toBe('Before')
  })

  it('keeps optional fields that the caller omits', async () => {
    const id = await createTestChannel(app.deps)
    const admin = await createAdmin(app.deps)
    async function update(body: ChannelInput | typeof custom) {
      const { body: updated } = await app.call(channelsApi.update, { as: admin, params: { id }, body })
      return [updated.name, updated.retentionDays, updated.allowProposals]
    }
    expect(await update({ ...custom, retentionDays: 30, allowProposals: true })).toEqual([
      custom.name,
      30,
      true,
    ])
    expect(await update({ ...custom, name: 'Renamed' })).toEqual(['Renamed', 30, true])
    expect(await update({ ...custom, retentionDays: null, allowProposals: false })).toEqual([
      custom.name,
      null,
      false,
    ])
  })

  it('shows members whether they can propose documents', async () => {
    const id = await createTestChannel(app.deps)
    const admin = await createAdmin(app.deps)
    const user = await createUser(app.deps, { channels: [id] })
    for (const allowProposals of [true, false]) {
      await app.call(channelsApi.update, { as: admin, params: { id }, body: { ...custom, allowProposals } })
      const { body } = await app.call(channelsApi.get, { as: user, params: { id } })
      expect(body.allowProposals).toBe(allowProposals)
    }
  })

  it('clears the fields of the other kind of channel', async () => {
    const id = await createTestChannel(app.deps, {
      systemPrompt: 'Be brief.',
      strictDocumentsOnly: true,
      allowProposals: true,
    })
    const admin = await createAdmin(app.deps)
    const body = {
      ...custom,
      useAssistant: true,
      openaiAssistantId: 'asst_1',
      systemPrompt: 'x',
      strictDocumentsOnly: true,
      allowProposals: true,
    }
    const response = await app.call(channelsApi.update, { as: admin, params: { id }, body })
    expect(response.body).toMatchObject({
      useAssistant: true,
      openaiAssistantId: 'asst_1',
      systemPrompt: '',
      llmModel: '',
      strictDocumentsOnly: false,
      allowProposals: false,
    })
  })
})

describe('DELETE /channels/{id}', () => {
  it('requires canDeleteChannels and an existing channel', async () => {
    const id = await createTestChannel(app.deps)
    const admin = await createAdmin(app.deps, { permissions: { canDeleteChannels: false } })
    const refused = await app.call(channelsApi.remove, { as: admin, params: { id } })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'You do not have permission to delete channels',
    ])
    const allowed = await createAdmin(app.deps)
    expect((await app.call(channelsApi.remove, { as: allowed, params: { id: 'none' } })).status).toBe(404)
  })

  it('deletes documents, chats and members, and the files from the disk a day later', async () => {
    const id = await createTestChannel(app.deps)
    const admin = await createAdmin(app.deps, { channels: [id] })
    const uploaded = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId: id },
      file: { name: 'rules.txt', content: 'Doors close at eight.' },
    })
    await app.call(documentsApi.approve, { as: admin, params: { id: uploaded.body._id } })
    await app.runJobs()
    await app.call(chatsApi.create, { as: admin, params: { channelId: id }, body: {} })
    expect((await app.call(channelsApi.remove, { as: admin, params: { id } })).status).toBe(200)
    expect((await app.call(channelsApi.get, { as: admin, params: { id } })).status).toBe(404)
    for (const table of ['documents', 'document_versions', 'passages', 'chats', 'channel_members'] as const)
      expect(await app.deps.db.selectFrom(table).selectAll().execute(), table).toEqual([])
    expect(await app.deps.passageIndex.generations('', 10)).toEqual([])
    const [removed] = await app.deps.db.selectFrom('removed_files').selectAll().execute()
    expect(await app.deps.files.size(removed?.file_key ?? '')).toBeGreaterThan(0)
    app.advance(25 * 3_600_000)
    await app.runJobs()
    expect(await app.deps.files.size(removed?.file_key ?? '')).toBeNull()
  })
})
