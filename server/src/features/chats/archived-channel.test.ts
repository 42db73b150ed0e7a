import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '#db/client.ts'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import type { TestApp } from '#testing/test-app.ts'
import { requireLockedChannel } from '../channels/access.ts'

let app: TestApp
let model: ModelStandIn
let channelId: string
let chatId: string
let ada: TestUser
let admin: TestUser
setUpChatFixture(
  (fixture) => {
    ;({ app, model, channelId, ada, chatId } = fixture)
  },
  { allowProposals: true },
)
beforeEach(async () => {
  admin = await createAdmin(app.deps)
})

const refusal = [409, 'This channel is archived. You can read its chats, but nothing can be added to it.']

function setArchived(isArchived: boolean, as = admin, id = channelId) {
  return app.call(channelsApi.archive, { as, params: { id }, body: { isArchived } })
}

function send(message: string) {
  return app.call(chatsApi.send, { as: ada, params: { channelId, chatId }, body: { message } })
}

async function listIds(as: TestUser, archived: 'exclude' | 'include' | 'only' = 'exclude') {
  const { body } = await app.call(channelsApi.list, { as, query: { archived } })
  return (Array.isArray(body) ? body : body.items).map(({ _id }) => _id)
}

describe('PUT /channels/:id/archive', () => {
  it('requires canEditChannels, also of channel administrators', async () => {
    const restricted = await createAdmin(app.deps, { permissions: { canEditChannels: false } })
    await app.deps.db
      .updateTable('channel_members')
      .set({ is_admin: 1 })
      .where('user_id', '=', ada.id)
      .execute()
    for (const as of [ada, restricted]) {
      const { status, body } = await setArchived(true, as)
      expect([status, body.message]).toEqual([403, 'You do not have permission to edit channels'])
    }
  })

  it('returns 404 for a channel that the administrator cannot see', async () => {
    const blind = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    expect((await setArchived(true, blind)).status).toBe(404)
    expect((await setArchived(true, admin, 'missing')).status).toBe(404)
  })

  it('is audited once for each change', async () => {
    for (const isArchived of [true, true, false]) await setArchived(isArchived)
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('object_id', '=', channelId)
      .orderBy('seq')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual(['channel.archived', 'channel.restored'])
  })
})

describe('GET /channels', () => {
  it('leaves out archived channels unless they are requested', async () => {
    const inUse = await createTestChannel(app.deps)
    const user = await createUser(app.deps, { channels: [channelId, inUse] })
    await setArchived(true)
    expect(await listIds(user)).toEqual([inUse])
    expect(await listIds(admin)).not.toContain(channelId)
    expect(await listIds(admin, 'only')).toContain(channelId)
    expect(await listIds(admin, 'only')).not.toContain(inUse)
    expect((await listIds(user, 'include')).toSorted()).toEqual([channelId, inUse].toSorted())
    await setArchived(false)
    expect((await listIds(user)).toSorted()).toEqual([channelId, inUse].toSorted())
  })

  it('pages through archived channels alone', async () => {
    await setArchived(true)
    const query = { limit: 1, search: 'Channel', archived: 'only' as const }
    const { body } = await app.call(channelsApi.list, { as: ada, query })
    expect(body).toMatchObject({ total: 1, items: [{ _id: channelId, isArchived: true }] })
  })
})

describe('an archived channel', () => {
  it('accepts no message, edit, other version or continuation', async () => {
    const sent = await send('When do doors close?')
    await setArchived(true)
    const params = { channelId, chatId }
    const question = { ...params, messageId: sent.body.message?._id ?? '' }
    const reply = { ...params, messageId: sent.body.reply._id }
    const refused = [
      await send('And when do they open?'),
      await app.call(chatsApi.edit, { as: ada, params: question, body: { message: 'Other' } }),
      await app.call(chatsApi.regenerate, { as: ada, params: reply }),
      await app.call(chatsApi.continue, { as: ada, params: reply }),
      await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} }),
    ]
    for (const { status, body } of refused) expect([status, body.message]).toEqual(refusal)
    const { body } = await app.call(chatsApi.get, { as: ada, params })
    expect(body.total).toBe(2)
  })

  it('returns 404, not its state, to users who are not members', async () => {
    await setArchived(true)
    const { status } = await app.call(chatsApi.create, { as: admin, params: { channelId }, body: {} })
    expect(status).toBe(404)
  })

  it('accepts no upload, new version or proposal, and keeps its documents', async () => {
    const file = { name: 'rules.txt', content: 'Doors close at eight.' }
    const { body: document } = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId },
      file,
    })
    await setArchived(true)
    const other = { name: 'more.txt', content: 'Windows close at nine.' }
    const refused = [
      await app.upload(documentsApi.upload, { as: admin, fields: { channelId }, file: other }),
      await app.upload(documentsApi.replace, { as: admin, params: { id: document._id }, file: other }),
      await app.upload(documentsApi.propose, { as: ada, params: { id: channelId }, file: other }),
    ]
    for (const { status, body } of refused) expect([status, body.message]).toEqual(refusal)
    const { status } = await app.call(documentsApi.get, { as: admin, params: { id: document._id } })
    expect(status).toBe(200)
  })

  it('lets members read, search, export and delete their chats', async () => {
    await send('When do doors close?')
    await setArchived(true)
    const params = { channelId, chatId }
    const channel = await app.call(channelsApi.get, { as: ada, params: { id: channelId } })
    expect(channel.body.isArchived).toBe(true)
    expect((await app.call(chatsApi.list, { as: ada, params: { channelId } })).body.total).toBe(1)
    expect((await app.call(chatsApi.get, { as: ada, params })).body.messages).toHaveLength(2)
    expect((await app.call(chatsApi.export, { as: ada, params })).status).toBe(200)
    expect((await app.call(chatsApi.recent, { as: ada })).body.chats).toEqual([])
    expect((await app.call(chatsApi.remove, { as: ada, params })).status).toBe(200)
  })

  it('returns the reply of a message that was accepted before and is sent again', async () => {
    const headers = { 'idempotency-key': 'key-of-the-first-one' }
    const request = { as: ada, params: { channelId, chatId }, body: { message: 'Hello' }, headers }
    const first = await app.call(chatsApi.send, request)
    await setArchived(true)
    const again = await app.call(chatsApi.send, request)
    expect([again.status, again.body.reply._id]).toEqual([200, first.body.reply._id])
  })

  it('completes a reply that is being written', async () => {
    model.always({ text: ['Doors close ', 'at eight.'] })
    model.pause(1)
    const sending = send('When do doors close?')
    await model.whenPaused()
    await setArchived(true)
    model.resume()
    expect((await sending).body.reply).toMatchObject({ state: 'complete', content: 'Doors close at eight.' })
  })

  it('can be used again after it is restored', async () => {
    await setArchived(true)
    await setArchived(false)
    expect((await send('When do doors close?')).status).toBe(200)
  })
})

describe('archiving while a message is sent', () => {
  it('refuses the message if archiving locked the channel first', async () => {
    let sending: ReturnType<typeof send> | undefined
    await app.deps.db.transaction().execute(async (tx: Tx) => {
      await requireLockedChannel(tx, channelId)
      sending = send('When do doors close?')
      await tx.updateTable('channels').set({ archived_at: 1 }).where('id', '=', channelId).execute()
    })
    expect((await sending)?.status).toBe(409)
  })
})
