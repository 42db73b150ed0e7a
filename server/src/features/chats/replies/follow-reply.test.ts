import { chatsApi } from '@lyceum/contract/chats'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { openReplyStream, type ReplyStream } from '#testing/reply-stream.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let ada: TestUser
let params: { channelId: string; chatId: string; messageId: string }
beforeEach(async () => {
  app = await buildTestApp()
  const channelId = await createTestChannel(app.deps)
  ada = await createUser(app.deps, { channels: [channelId] })
  const chat = await insertTestChat(app.deps, { userId: ada.id, channelId, messages: ['Hello', 'Good'] })
  params = { channelId, chatId: chat.id, messageId: chat.messages[1]?.id ?? '' }
  await change({
    state: 'streaming',
    lease_owner: 'another node',
    lease_until: Date.UTC(2100, 0),
    last_event: 7,
  })
})
afterEach(() => app.close())

interface Change {
  content?: string
  last_event: number
  state?: 'streaming' | 'complete'
  lease_owner?: string
  lease_until?: number
}

/** Changes the row of the reply, as the node that writes it does. */
async function change(columns: Change): Promise<void> {
  await app.deps.db.updateTable('messages').set(columns).where('id', '=', params.messageId).execute()
}

async function follow(after: number): Promise<ReplyStream> {
  const stream = await openReplyStream(await app.url(), chatsApi.events, {
    as: ada,
    params,
    query: { after },
  })
  expect(await stream.next()).toMatchObject({ type: 'status', seq: after })
  return stream
}

it('sends the text of a reply that another node writes whenever that node saves it', async () => {
  const reader = await follow(7)
  await change({ content: 'Good mor', last_event: 9 })
  expect(await reader.next()).toEqual({ type: 'delta', text: ' mor', seq: 9 })
  await change({ content: 'Good morning', last_event: 12 })
  expect(await reader.next()).toEqual({ type: 'delta', text: 'ning', seq: 12 })
  await change({ content: 'Good morning.', last_event: 14, state: 'complete' })
  expect(await reader.next()).toMatchObject({ type: 'done', seq: 14, reply: { content: 'Good morning.' } })
})

it('sends only the end to a reader of whom it does not know how much text they have', async () => {
  const reader = await follow(8)
  await change({ content: 'Good morning', last_event: 9 })
  await change({ content: 'Good morning.', last_event: 10, state: 'complete' })
  expect((await reader.readToEnd()).map(({ type }) => type)).toEqual(['status', 'done'])
})
