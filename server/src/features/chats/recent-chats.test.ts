import { chatsApi, maxRecentChats } from '@lyceum/contract/chats'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let channels: [string, string]
let ada: TestUser

beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(async () => {
  channels = [
    await createTestChannel(app.deps, { name: 'Handbook' }),
    await createTestChannel(app.deps, { name: 'Travel' }),
  ]
  ada = await createUser(app.deps, { channels })
})
afterAll(() => app.close())

async function createChat(channelId: string): Promise<string> {
  return (await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })).body._id
}

async function ask(channelId: string, message: string): Promise<string> {
  app.advance(1000)
  const chatId = await createChat(channelId)
  await app.call(chatsApi.send, { as: ada, params: { channelId, chatId }, body: { message } })
  return chatId
}

async function listRecent(as: TestUser = ada) {
  const { status, body } = await app.call(chatsApi.recent, { as })
  expect(status).toBe(200)
  return body.chats
}

describe('GET /chat/recent', () => {
  it('rejects requests without a session', async () => {
    expect((await app.call(chatsApi.recent, { as: null })).status).toBe(401)
  })

  it('lists no chats of others, also for administrators', async () => {
    await ask(channels[0], 'A question')
    expect(await listRecent(await createUser(app.deps, { channels }))).toEqual([])
    expect(await listRecent(await createAdmin(app.deps, { isSystemAdmin: true, channels }))).toEqual([])
  })

  it('lists the latest chats of all channels, without empty ones', async () => {
    const first = await ask(channels[0], 'How many days?')
    const second = await ask(channels[1], 'Which hotels?')
    await createChat(channels[0])
    const [handbook, travel] = channels
    expect(await listRecent()).toEqual([
      {
        chatId: second,
        channelId: travel,
        channelName: 'Travel',
        title: 'Which hotels?',
        updatedAt: expect.any(String),
      },
      {
        chatId: first,
        channelId: handbook,
        channelName: 'Handbook',
        title: 'How many days?',
        updatedAt: expect.any(String),
      },
    ])
  })

  it('lists at most as many as the dashboard shows, and none of a channel that the user has left', async () => {
    await ask(channels[1], 'The oldest one')
    for (let n = 0; n <= maxRecentChats; n += 1) await ask(channels[0], `Question ${n}`)
    expect((await listRecent()).map(({ title }) => title)).toEqual(
      [6, 5, 4, 3, 2, 1].map((n) => `Question ${n}`),
    )
    await app.deps.db
      .deleteFrom('channel_members')
      .where('channel_id', '=', channels[0])
      .where('user_id', '=', ada.id)
      .execute()
    expect((await listRecent()).map(({ title }) => title)).toEqual(['The oldest one'])
  })
})
