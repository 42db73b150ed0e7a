import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream, type ReplyStream } from '#testing/reply-stream.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let admin: TestUser
let ada: TestUser
let channelId: string

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
})
beforeEach(async () => {
  await model.reset()
  admin = await createAdmin(app.deps)
  ada = await createUser(app.deps, { name: 'Ada' })
  channelId = await createTestChannel(app.deps, { name: 'Handbook' })
})
afterAll(async () => {
  await app.close()
  await model.close()
})

function grant(as: TestUser, userId: string, id = channelId) {
  return app.call(channelsApi.grant, { as, params: { id }, body: { userId } })
}
function revoke(as: TestUser, userId: string, id = channelId) {
  return app.call(channelsApi.revoke, { as, params: { id }, body: { userId } })
}
function setChannelAdmin(as: TestUser, userId: string, isAdmin: boolean, id = channelId) {
  return app.call(channelsApi.setChannelAdmin, { as, params: { id, userId }, body: { isAdmin } })
}
async function getStatus(as: TestUser) {
  return (await app.call(channelsApi.get, { as, params: { id: channelId } })).status
}
async function listMemberIds(): Promise<string[]> {
  const { body } = await app.call(channelsApi.members, { as: admin, params: { id: channelId } })
  return body.items.map(({ _id }) => _id)
}

const invalidAccess = {
  status: 400,
  body: { code: 'user.invalid_access', message: 'Invalid user or channel selected' },
}

describe('access to a channel', () => {
  it('requires canManageUsers to list, grant, revoke or change it', async () => {
    await grant(admin, ada.id)
    const restrictedAdmin = await createAdmin(app.deps, { permissions: { canManageUsers: false } })
    for (const as of [ada, restrictedAdmin]) {
      const responses = [
        app.call(channelsApi.members, { as, params: { id: channelId } }),
        grant(as, as.id),
        revoke(as, ada.id),
        setChannelAdmin(as, ada.id, true),
      ]
      for (const response of responses) expect((await response).status).toBe(403)
    }
    expect(await listMemberIds()).toEqual([ada.id])
  })

  it('requires an existing channel', async () => {
    for (const change of [grant, revoke])
      expect(await change(admin, ada.id, 'none')).toMatchObject(invalidAccess)
    expect((await setChannelAdmin(admin, ada.id, true, 'none')).status).toBe(404)
  })

  it('is limited to channels the actor can see', async () => {
    const as = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    await grant(admin, ada.id)
    expect(await grant(as, as.id)).toMatchObject(invalidAccess)
    expect(await revoke(as, ada.id)).toMatchObject(invalidAccess)
    const requests = [
      setChannelAdmin(as, ada.id, true),
      app.call(channelsApi.members, { as, params: { id: channelId } }),
    ]
    for (const response of requests) expect((await response).status).toBe(404)
    expect(await listMemberIds()).toEqual([ada.id])
    await grant(admin, as.id)
    expect((await revoke(as, ada.id)).status).toBe(200)
  })

  it.each(['nobody', '', ' ', undefined, null, 7, ['a'], { $ne: '' }])(
    'rejects the user id %j',
    async (userId) => {
      for (const endpoint of [channelsApi.grant, channelsApi.revoke]) {
        const response = await app.call(endpoint, {
          as: admin,
          params: { id: channelId },
          body: { userId: userId as string },
        })
        expect(response).toMatchObject(invalidAccess)
      }
      const empty = await app.call(channelsApi.grant, {
        as: admin,
        params: { id: channelId },
        body: undefined as never,
      })
      expect(empty.body.code).toBe('user.invalid_access')
    },
  )

  it('is granted and revoked idempotently', async () => {
    expect(await getStatus(ada)).toBe(404)
    for (let time = 0; time < 2; time++) {
      const { status, body } = await grant(admin, ada.id)
      expect([status, body.message]).toEqual([200, '“Ada” now has access to “Handbook”'])
    }
    expect([await getStatus(ada), await listMemberIds()]).toEqual([200, [ada.id]])
    expect((await app.call(usersApi.get, { as: admin, params: { id: ada.id } })).body.channels).toEqual([
      channelId,
    ])
    for (let time = 0; time < 2; time++) {
      const { status, body } = await revoke(admin, ada.id)
      expect([status, body.message]).toEqual([200, '“Ada” no longer has access to “Handbook”'])
    }
    expect([await getStatus(ada), await listMemberIds()]).toEqual([404, []])
  })

  it('is granted once by concurrent calls', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => grant(admin, ada.id)))
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await listMemberIds()).toEqual([ada.id])
  })
})

describe('GET /channels/:id/users', () => {
  it('pages the members by name', async () => {
    const names = ['Carol', 'Anna', 'Berta']
    for (const name of names) await createUser(app.deps, { name, channels: [channelId] })
    function getPage(skip: number) {
      return app.call(channelsApi.members, {
        as: admin,
        params: { id: channelId },
        query: { limit: 2, skip },
      })
    }
    expect((await getPage(0)).body).toMatchObject({
      items: [{ name: 'Anna', isAdmin: false }, { name: 'Berta' }],
      total: 3,
      totalPages: 2,
    })
    expect((await getPage(2)).body.items).toMatchObject([{ name: 'Carol' }])
    const unknown = await app.call(channelsApi.members, { as: admin, params: { id: 'none' } })
    expect(unknown.status).toBe(404)
  })

  it('finds members by name or email and counts only the matches', async () => {
    const bea = await createUser(app.deps, { name: 'Bea 100%' })
    for (const { id } of [ada, bea]) await grant(admin, id)
    async function findMembers(search: string) {
      const { body } = await app.call(channelsApi.members, {
        as: admin,
        params: { id: channelId },
        query: { search },
      })
      return { names: body.items.map(({ name }) => name), total: body.total }
    }
    expect(await findMembers('BEA 1')).toEqual({ names: ['Bea 100%'], total: 1 })
    expect(await findMembers('0%')).toEqual({ names: ['Bea 100%'], total: 1 })
    expect(await findMembers(ada.email.slice(0, 36).toUpperCase())).toEqual({ names: ['Ada'], total: 1 })
    expect(await findMembers('_')).toEqual({ names: [], total: 0 })
    expect((await findMembers('')).total).toBe(2)
  })
})

describe('PUT /channels/:id/users/:userId', () => {
  it('rejects users who are not members', async () => {
    for (const userId of ['nobody', ada.id])
      expect((await setChannelAdmin(admin, userId, true)).status).toBe(404)
  })

  it('makes a member channel administrator until they lose access', async () => {
    async function isAdmin() {
      return (await app.call(channelsApi.get, { as: ada, params: { id: channelId } })).body.isAdmin
    }
    await grant(admin, ada.id)
    expect((await setChannelAdmin(admin, ada.id, true)).body.message).toBe(
      '“Ada” is now an administrator of “Handbook”',
    )
    await grant(admin, ada.id)
    expect(await isAdmin()).toBe(true)
    expect((await setChannelAdmin(admin, ada.id, false)).body.message).toBe(
      '“Ada” is no longer an administrator of “Handbook”',
    )
    expect(await isAdmin()).toBe(false)
    await setChannelAdmin(admin, ada.id, true)
    await revoke(admin, ada.id)
    await grant(admin, ada.id)
    expect(await isAdmin()).toBe(false)
  })
})

describe('an open stream', () => {
  async function startReply(id = channelId): Promise<{ stream: ReplyStream; messageId: string }> {
    await grant(admin, ada.id, id)
    const { body } = await app.call(chatsApi.create, { as: ada, params: { channelId: id }, body: {} })
    const stream = await openReplyStream(await app.url(), chatsApi.send, {
      as: ada,
      params: { channelId: id, chatId: body._id },
      body: { message: 'Tell me about telescopes' },
    })
    const accepted = await stream.readUntil('accepted')
    return { stream, messageId: accepted?.reply._id ?? '' }
  }
  async function getState(id: string) {
    return (await app.deps.db.selectFrom('messages').select('state').where('id', '=', id).executeTakeFirst())
      ?.state
  }

  it('ends when access is revoked over a real connection, without ending other streams', async () => {
    const elsewhere = await createTestChannel(app.deps)
    model.pause(1)
    const here = await startReply()
    const there = await startReply(elsewhere)
    await model.whenPaused(2)
    const response = await fetch(`${await app.url()}/api/channels/${channelId}/users`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userId: ada.id }),
    })
    expect(response.status).toBe(200)
    // The reply was saved before the response was sent.
    expect([await getState(here.messageId), await getState(there.messageId)]).toEqual([
      'interrupted',
      'streaming',
    ])
    expect((await here.stream.readToEnd()).at(-1)).toMatchObject({ type: 'error', code: 'chat.interrupted' })
    model.resume()
    expect((await there.stream.readToEnd()).at(-1)?.type).toBe('done')
  })

  it('ends a few seconds after its user’s role changes', async () => {
    model.pause(1)
    const { stream, messageId } = await startReply()
    await model.whenPaused(1)
    const changed = await app.call(usersApi.update, {
      as: admin,
      params: { id: ada.id },
      body: { role: 'admin' },
    })
    expect(changed.status).toBe(200)
    const ended = stream.readToEnd()
    await vi.waitFor(async () => expect(await getState(messageId)).toBe('interrupted'), {
      interval: 200,
    })
    expect((await ended).at(-1)?.type).not.toBe('done')
  })
})
