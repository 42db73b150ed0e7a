import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { quotasApi } from '@lyceum/contract/quotas'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import {
  createAdmin,
  createTestChannel,
  createUser,
  type TestUser,
  testPassword,
} from '#testing/factories.ts'
import { createPicture } from '#testing/pictures.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { verifyChain } from '../audit/verify.ts'

let app: TestApp
let systemAdmin: TestUser
beforeAll(async () => {
  app = await buildTestApp()
  systemAdmin = await createAdmin(app.deps, { isSystemAdmin: true })
})
afterAll(() => app.close())

function list() {
  return app.call(chatHistoryApi.list, { as: systemAdmin, query: {} })
}
function startExport(as: TestUser) {
  return app.call(chatHistoryApi.export, { as, query: { format: 'jsonl' } })
}
function createExporters() {
  return Promise.all(
    Array.from({ length: 3 }, () =>
      createAdmin(app.deps, { permissions: { canViewChatHistory: true, canExportChatHistory: true } }),
    ),
  )
}

describe('chat history under concurrent load', () => {
  it('lets fifty users sign in while histories are listed and exported', async () => {
    const channelId = await createTestChannel(app.deps)
    const users = await Promise.all(
      Array.from({ length: 20 }, () => createUser(app.deps, { channels: [channelId] })),
    )
    for (const { id } of users)
      await insertTestChat(app.deps, { userId: id, channelId, messages: ['a', 'b'] })
    function signIn(email: string, password: string) {
      return app.call(authApi.login, { body: { email, password }, ip: '192.0.2.7' })
    }
    const exporters = await createExporters()
    const responses = await Promise.all([
      ...users.map(({ email }) => signIn(email, testPassword)),
      ...users.map(({ email }) => signIn(email, 'not the password')),
      ...Array.from({ length: 10 }, (_, at) => signIn(`nobody-${at}@example.org`, 'a wrong password')),
      ...Array.from({ length: 20 }, list),
      ...exporters.map(startExport),
    ])
    // Password checks are limited, so some of many simultaneous sign-ins must wait.
    for (const { status } of responses) expect([200, 401, 429, 503]).toContain(status)
    expect(responses.slice(-23).map(({ status }) => status)).toEqual(Array.from({ length: 23 }, () => 200))
    expect(await verifyChain(app.deps.db)).toMatchObject({ fault: null })
  })

  it('deletes a channel while it is used, changed, given quotas and exported', async () => {
    const content = await createPicture('teal')
    for (let round = 0; round < 3; round += 1) {
      const channelId = await createTestChannel(app.deps)
      const users = await Promise.all(
        Array.from({ length: 4 }, () => createUser(app.deps, { channels: [channelId] })),
      )
      const exporters = await createExporters()
      const chats = await Promise.all(
        users.map(
          async ({ id }) =>
            (await insertTestChat(app.deps, { userId: id, channelId, messages: ['a', 'b'] })).id,
        ),
      )
      const params = { id: channelId }
      const responses = await Promise.all([
        app.upload(channelsApi.setWallpaper, { as: systemAdmin, params, file: { name: 'a.png', content } }),
        ...users.map((as, at) =>
          app.call(chatsApi.send, {
            as,
            params: { channelId, chatId: chats[at] ?? '' },
            body: { message: 'Is it there?' },
          }),
        ),
        ...[1, 2, 3].map((messagesPerDay) =>
          app.call(quotasApi.setForChannel, {
            as: systemAdmin,
            params,
            body: { messagesPerDay, tokensPerMonth: null },
          }),
        ),
        ...exporters.map(startExport),
        ...users.slice(0, 2).map(({ id }) => app.call(usersApi.remove, { as: systemAdmin, params: { id } })),
        app.call(channelsApi.remove, { as: systemAdmin, params }),
        ...exporters.map(startExport),
      ])
      for (const { status } of responses) expect(status).not.toBe(500)
      const { db } = app.deps
      expect(await db.selectFrom('channels').select('id').where('id', '=', channelId).execute()).toEqual([])
      expect(await db.selectFrom('quotas').select('id').execute()).toEqual([])
    }
    expect(await verifyChain(app.deps.db)).toMatchObject({ fault: null })
  })
})
