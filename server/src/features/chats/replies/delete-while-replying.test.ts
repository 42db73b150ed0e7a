import { setImmediate } from 'node:timers/promises'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let systemAdmin: TestUser
beforeAll(async () => {
  model = await startModelStandIn()
})
afterAll(() => model.close())
beforeEach(async () => {
  await model.reset()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  systemAdmin = await createAdmin(app.deps, { isSystemAdmin: true })
})
afterEach(() => app.close())

interface Address {
  as: TestUser
  params: { channelId: string; chatId: string }
}

async function createChat(as: TestUser, channelId: string): Promise<Address> {
  const { body } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
  return { as, params: { channelId, chatId: body._id } }
}

/** Starts a reply for each of several users, paused before its last words. */
async function startReplies(
  channelId: string,
  userCount: number,
): Promise<{ chats: Address[]; statuses: Promise<number[]> }> {
  model.always({ text: ['Some words ', 'and some more'] })
  model.pause(1)
  const chats: Address[] = []
  for (let at = 0; at < userCount; at += 1)
    chats.push(await createChat(await createUser(app.deps, { channels: [channelId] }), channelId))
  const responses = Promise.all(
    chats.map((chat) => app.call(chatsApi.send, { ...chat, body: { message: 'Tell me something' } })),
  )
  await model.whenPaused(userCount)
  return { chats, statuses: responses.then((all) => all.map(({ status }) => status)) }
}

async function listRemainingRows() {
  return [
    ...(await app.deps.db.selectFrom('chats').select('id').execute()),
    ...(await app.deps.db.selectFrom('messages').select('id').execute()),
  ]
}

describe('deletion while replies end', () => {
  it('deletes all rows of chats', async () => {
    const channelId = await createTestChannel(app.deps)
    const { chats, statuses } = await startReplies(channelId, 8)
    model.resume()
    const removed = await Promise.all(chats.map((chat) => app.call(chatsApi.remove, chat)))
    expect(removed.map(({ status }) => status)).toEqual(chats.map(() => 200))
    for (const status of await statuses) expect(status).not.toBe(500)
    expect(await listRemainingRows()).toEqual([])
  })

  it('deletes all rows of a channel', async () => {
    for (let round = 0; round < 4; round += 1) {
      const channelId = await createTestChannel(app.deps)
      const { statuses } = await startReplies(channelId, 8)
      model.resume()
      const { status } = await app.call(channelsApi.remove, { as: systemAdmin, params: { id: channelId } })
      expect(status).toBe(200)
      for (const status of await statuses) expect(status).not.toBe(500)
      expect(await listRemainingRows()).toEqual([])
    }
  })

  it('answers senders with 404 once their channel is being deleted', async () => {
    const channelId = await createTestChannel(app.deps)
    const { statuses } = await startReplies(channelId, 2)
    const removed = app.call(channelsApi.remove, { as: systemAdmin, params: { id: channelId } })
    expect(await statuses).toEqual([404, 404])
    expect((await removed).status).toBe(200)
  })

  it('answers a sender with 404 who is removed from the channel', async () => {
    const channelId = await createTestChannel(app.deps)
    const { chats, statuses } = await startReplies(channelId, 1)
    const userId = chats[0]?.as.id ?? ''
    const { status } = await app.call(channelsApi.revoke, {
      as: systemAdmin,
      params: { id: channelId },
      body: { userId },
    })
    expect(status).toBe(200)
    expect(await statuses).toEqual([404])
  })

  it('deletes all rows of users and of their channel when both are deleted at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const channelId = await createTestChannel(app.deps)
      const { chats, statuses } = await startReplies(channelId, 6)
      model.resume()
      const removed = await Promise.all([
        ...chats.map(({ as }) => app.call(usersApi.remove, { as: systemAdmin, params: { id: as.id } })),
        app.call(channelsApi.remove, { as: systemAdmin, params: { id: channelId } }),
      ])
      expect(removed.map(({ status }) => status)).toEqual(removed.map(() => 200))
      for (const status of await statuses) expect(status).not.toBe(500)
      expect(await listRemainingRows()).toEqual([])
    }
  })

  it('yields to other work while deleting many messages', async () => {
    const channelId = await createTestChannel(app.deps)
    const { id: userId } = await createUser(app.deps, { channels: [channelId] })
    const messages = Array.from({ length: 1000 }, (_, at) => `word ${at}`)
    for (let at = 0; at < 8; at += 1) await insertTestChat(app.deps, { userId, channelId, messages })
    let [eventLoopTurns, isRemoved] = [0, false]
    const removed = app
      .call(channelsApi.remove, { as: systemAdmin, params: { id: channelId } })
      .finally(() => {
        isRemoved = true
      })
    for (; !isRemoved; eventLoopTurns += 1) await setImmediate()
    expect((await removed).status).toBe(200)
    expect(eventLoopTurns).toBeGreaterThan(70)
    expect(await listRemainingRows()).toEqual([])
  })
})
