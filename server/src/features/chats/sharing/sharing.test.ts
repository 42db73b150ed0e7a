import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { sharedChatsApi } from '@lyceum/contract/shared-chats'
import { beforeEach, describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let bob: TestUser
let chatId: string

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})
beforeEach(async () => {
  bob = await createUser(app.deps, { channels: [channelId] })
})

async function send(message: string) {
  const { body } = await app.call(chatsApi.send, {
    as: ada,
    params: { channelId, chatId },
    body: { message },
  })
  return body
}

function share(as: TestUser | null = ada, params = { channelId, chatId }) {
  return app.call(sharedChatsApi.share, { as, params })
}

function getShare(as: TestUser | null = ada, params = { channelId, chatId }) {
  return app.call(sharedChatsApi.get, { as, params })
}

function revoke(as: TestUser | null = ada, params = { channelId, chatId }) {
  return app.call(sharedChatsApi.revoke, { as, params })
}

function read(as: TestUser | null, shareId: string, query: { limit?: number; before?: string } = {}) {
  return app.call(sharedChatsApi.read, { as, params: { channelId, shareId }, query })
}

async function addMember(channel: string, user: TestUser): Promise<void> {
  await app.deps.db
    .insertInto('channel_members')
    .values({ channel_id: channel, user_id: user.id, is_admin: 0, created_at: 0 })
    .execute()
}

async function removeMember(user: TestUser): Promise<void> {
  await app.deps.db
    .deleteFrom('channel_members')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', user.id)
    .execute()
}

async function listAuditEntries() {
  const rows = await app.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'object_id'])
    .where('object_id', '=', chatId)
    .where('action', 'in', ['chat.shared', 'chat.share-revoked'])
    .orderBy('seq')
    .execute()
  return rows.map(({ actor_id, action, object_id }) => [actor_id, action, object_id])
}

describe.each([
  ['GET', getShare],
  ['PUT', share],
  ['DELETE', revoke],
])('%s /chat/:channelId/chats/:chatId/share', (_, request) => {
  it('rejects requests without a session', async () => {
    expect((await request(null)).status).toBe(401)
  })

  it('returns 404 to everyone but the owner, through another channel, and after leaving it', async () => {
    await send('Hello')
    const admin = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId] })
    const other = await createTestChannel(app.deps)
    await addMember(other, ada)
    expect((await request(bob)).status).toBe(404)
    expect((await request(admin)).status).toBe(404)
    expect((await request(ada, { channelId: other, chatId })).status).toBe(404)
    await removeMember(ada)
    expect((await request(ada)).status).toBe(404)
    expect(await listAuditEntries()).toEqual([])
  })
})

describe('PUT /chat/:channelId/chats/:chatId/share', () => {
  it('rejects a chat without messages', async () => {
    const { status, body } = await share()
    expect([status, body]).toMatchObject([409, { code: 'chat.nothing_to_share' }])
    expect((await getShare()).body).toEqual({ share: null })
  })

  it('rejects a chat whose reply is still being written', async () => {
    model.always({ text: 'Twenty days.' })
    model.pause()
    const stream = await openReplyStream(await app.url(), chatsApi.send, {
      as: ada,
      params: { channelId, chatId },
      body: { message: 'How many?' },
    })
    expect(await share()).toMatchObject({ status: 409, body: { code: 'chat.not_finished' } })
    model.resume()
    await stream.readToEnd()
    expect((await share()).status).toBe(200)
  })

  it('keeps the link when the chat is shared again, and records both', async () => {
    await send('Hello')
    const first = (await share()).body
    expect(first).toEqual({
      shareId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sharedAt: expect.any(String),
      isOutdated: false,
    })
    await send('And then?')
    expect((await getShare()).body.share).toEqual({ ...first, isOutdated: true })
    const again = (await share()).body
    expect([again.shareId, again.isOutdated]).toEqual([first.shareId, false])
    const entry = [ada.id, 'chat.shared', chatId]
    expect(await listAuditEntries()).toEqual([entry, entry])
  })

  it('marks the chat in the owner’s list only', async () => {
    await send('Hello')
    await share()
    const { chats } = (await app.call(chatsApi.list, { as: ada, params: { channelId } })).body
    expect(chats).toMatchObject([{ _id: chatId, isShared: true }])
    expect((await app.call(chatsApi.list, { as: bob, params: { channelId } })).body.chats).toEqual([])
  })
})

describe('DELETE /chat/:channelId/chats/:chatId/share', () => {
  it('ends the link for good and records it once', async () => {
    await send('Hello')
    const { shareId } = (await share()).body
    expect((await revoke()).body).toEqual({ message: 'The chat is no longer shared' })
    expect((await revoke()).status).toBe(200)
    expect((await read(bob, shareId)).status).toBe(404)
    expect((await getShare()).body).toEqual({ share: null })
    const renewed = (await share()).body
    expect(renewed.shareId).not.toBe(shareId)
    expect((await read(bob, shareId)).status).toBe(404)
    expect((await listAuditEntries()).map(([, action]) => action)).toEqual([
      'chat.shared',
      'chat.share-revoked',
      'chat.shared',
    ])
  })
})

describe('GET /chat/:channelId/shared/:shareId', () => {
  it('rejects requests without a session', async () => {
    expect((await read(null, 'unknown')).status).toBe(401)
  })

  it('returns 404 for unknown links and to users outside the channel, including administrators', async () => {
    await send('Hello')
    const { shareId } = (await share()).body
    const outsider = await createUser(app.deps)
    const admin = await createAdmin(app.deps, { isSystemAdmin: true })
    for (const [as, id] of [
      [bob, 'unknown'],
      [bob, chatId],
      [outsider, shareId],
      [admin, shareId],
    ] as const)
      expect((await read(as, id)).status).toBe(404)
    await removeMember(bob)
    expect((await read(bob, shareId)).status).toBe(404)
  })

  it('returns 404 through another channel', async () => {
    await send('Hello')
    const { shareId } = (await share()).body
    const other = await createTestChannel(app.deps)
    await addMember(other, bob)
    const refused = await app.call(sharedChatsApi.read, { as: bob, params: { channelId: other, shareId } })
    expect(refused.status).toBe(404)
  })

  it('ends when the owner leaves the channel, or the chat or the channel is deleted', async () => {
    await send('Hello')
    const { shareId } = (await share()).body
    await removeMember(ada)
    expect((await read(bob, shareId)).status).toBe(404)
    await addMember(channelId, ada)
    expect((await read(bob, shareId)).status).toBe(200)
    await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })
    expect((await read(bob, shareId)).status).toBe(404)
    const admin = await createAdmin(app.deps, { isSystemAdmin: true })
    await app.call(channelsApi.remove, { as: admin, params: { id: channelId } })
    expect((await read(bob, shareId)).status).toBe(404)
  })

  it('shows the messages up to the moment of sharing, without ratings, versions and models', async () => {
    model.always({ text: 'Twenty days.' })
    const { reply } = await send('How many?')
    const address = { channelId, chatId, messageId: reply._id }
    await app.call(chatsApi.regenerate, { as: ada, params: address })
    await app.call(chatsApi.showVersion, { as: ada, params: address })
    await app.call(chatsApi.rate, { as: ada, params: address, body: { rating: 'bad', comment: 'Too few' } })
    const { shareId, sharedAt } = (await share()).body
    await send('A private question')
    const edited = { message: 'Another private question' }
    const firstMessage = {
      channelId,
      chatId,
      messageId: (await read(bob, shareId)).body.messages[0]?._id ?? '',
    }
    await app.call(chatsApi.edit, { as: ada, params: firstMessage, body: edited })
    const { status, body } = await read(bob, shareId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'How many?', ownerName: ada.name, sharedAt, before: null })
    expect(body.messages.map(({ content }) => content)).toEqual(['How many?', 'Twenty days.'])
    for (const field of ['feedback', 'versions', 'canContinue', 'model'])
      for (const message of body.messages) expect(message).not.toHaveProperty(field)
    await share()
    const renewed = (await read(bob, shareId)).body
    expect([renewed.title, renewed.messages[0]?.content]).toEqual([
      'Another private question',
      'Another private question',
    ])
  })

  it('pages back to the first message and rejects cursors outside the shared part', async () => {
    await send('One')
    const second = await send('Two')
    const { shareId } = (await share()).body
    const later = await send('Three')
    const page = (await read(bob, shareId, { limit: 2 })).body
    expect(page.messages.map(({ _id }) => _id)).toEqual([second.message?._id, second.reply._id])
    const rest = (await read(bob, shareId, { limit: 2, before: page.before ?? '' })).body
    expect([rest.messages[0]?.content, rest.before]).toEqual(['One', null])
    for (const before of [later.reply._id, later.message?._id ?? '', 'unknown'])
      expect((await read(bob, shareId, { before })).status).toBe(404)
  })
})
