import { chatsApi, maxPinnedChats } from '@lyceum/contract/chats'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let channelId: string
let ada: TestUser

beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  channelId = await createTestChannel(app.deps)
  ada = await createUser(app.deps, { channels: [channelId] })
})
afterAll(() => app.close())

async function createChat(channel = channelId): Promise<string> {
  app.advance(1000)
  return (await app.call(chatsApi.create, { as: ada, params: { channelId: channel }, body: {} })).body._id
}

function pin(chatId: string, isPinned = true, channel = channelId) {
  return app.call(chatsApi.pin, { as: ada, params: { channelId: channel, chatId }, body: { isPinned } })
}

async function listChats(query: { limit?: number; skip?: number } = {}) {
  const { chats } = (await app.call(chatsApi.list, { as: ada, params: { channelId }, query })).body
  return chats.map(({ _id, isPinned }) => [_id, isPinned === true])
}

describe('PUT /chat/:channelId/chats/:chatId/pin', () => {
  it('rejects more pinned chats than the limit in a channel, also when they come together', async () => {
    const chats: string[] = []
    for (let n = 0; n < maxPinnedChats + 2; n += 1) chats.push(await createChat())
    const results = await Promise.all(chats.map((chatId) => pin(chatId)))
    const refused = results.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([
        409,
        { code: 'chat.too_many_pinned', message: 'You can pin up to 10 chats in a channel' },
      ]),
    )
    const pinned = (await listChats()).filter(([, isPinned]) => isPinned)
    expect(pinned).toHaveLength(maxPinnedChats)
    // A pinned chat can be pinned again, and another channel has its own limit.
    expect((await pin(String(pinned[0]?.[0]))).status).toBe(200)
    const other = await createTestChannel(app.deps)
    await app.deps.db
      .insertInto('channel_members')
      .values({ channel_id: other, user_id: ada.id, is_admin: 0, created_at: 0 })
      .execute()
    expect((await pin(await createChat(other), true, other)).status).toBe(200)
  })

  it('puts pinned chats first, each part latest first, on every page', async () => {
    const [first, second, third, fourth] = [
      await createChat(),
      await createChat(),
      await createChat(),
      await createChat(),
    ]
    await pin(third)
    expect((await pin(first)).body).toMatchObject({ _id: first, isPinned: true })
    expect(await listChats()).toEqual([
      [third, true],
      [first, true],
      [fourth, false],
      [second, false],
    ])
    expect(await listChats({ limit: 2, skip: 1 })).toEqual([
      [first, true],
      [fourth, false],
    ])
    expect((await pin(third, false)).body.isPinned).toBeUndefined()
    expect((await listChats()).map(([id]) => id)).toEqual([first, fourth, third, second])
  })
})
