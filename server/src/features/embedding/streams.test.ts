import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { embeddedSignInHours } from '@lyceum/contract/embedding'
import { usersApi } from '@lyceum/contract/users'
import { beforeEach, expect, it, vi } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { embedChannel, signInOnSite } from '#testing/embedding.ts'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let chatId: string
let admin: TestUser
let onSite: TestUser
setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})
beforeEach(async () => {
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  await embedChannel(app, channelId)
  onSite = await signInOnSite(app, ada, channelId)
})

const pieces = Array.from({ length: 12 }, (_, at) => `Piece number ${at} of this answer. `)

async function send(as = onSite) {
  return openReplyStream(await app.url(), chatsApi.send, {
    as,
    params: { channelId, chatId },
    body: { message: 'Tell me about telescopes' },
  })
}

it('streams a whole reply to a sign-in on another site', async () => {
  model.script({ text: pieces })
  const events = await (await send()).readToEnd()
  expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content: pieces.join('') } })
})

it.each<[string, () => Promise<unknown>]>([
  ['the sign-in is ended', () => app.call(usersApi.endSessions, byAdmin())],
  ['the site is removed', () => embedChannel(app, channelId, { sites: [] })],
  [
    'the user is deactivated',
    () => app.call(usersApi.setActive, { ...byAdmin(), body: { isActive: false } }),
  ],
  [
    'the user is no longer a member',
    () => app.call(channelsApi.revoke, { as: admin, params: { id: channelId }, body: { userId: ada.id } }),
  ],
  ['the sign-in expires', async () => app.advance(embeddedSignInHours * 3_600_000)],
])('ends a running reply and its stream when %s', async (_what, end) => {
  model.script({ text: pieces })
  model.pause(5)
  const stream = await send()
  const accepted = await stream.readUntil('accepted')
  await stream.readUntil('delta')
  await end()
  const events = await stream.readToEnd()
  expect(events.map(({ type }) => type)).not.toContain('done')
  expect(JSON.stringify(events)).not.toContain('Piece number 6')
  await vi.waitFor(
    async () => {
      const row = await app.deps.db
        .selectFrom('messages')
        .select('state')
        .where('id', '=', accepted?.reply._id ?? '')
        .executeTakeFirstOrThrow()
      expect(row.state).toBe('interrupted')
    },
    { interval: 200, timeout: 20_000 },
  )
})

function byAdmin() {
  return { as: admin, params: { id: ada.id } }
}
