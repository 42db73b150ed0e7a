import { chatsApi } from '@lyceum/contract/chats'
import { expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import type { TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let as: TestUser
let params: { channelId: string; chatId: string }

setUpChatFixture((fixture) => {
  ;({ model, app, ada: as } = fixture)
  params = { channelId: fixture.channelId, chatId: fixture.chatId }
})

it('continues after the Last-Event-ID with which a browser reconnects', async () => {
  const url = await app.url()
  model.script({ text: ['One. ', 'Two. ', 'Three. ', 'Four. '] })
  const message = 'Count to four'
  const events = await (
    await openReplyStream(url, chatsApi.send, { as, params, body: { message } })
  ).readToEnd()
  const last = events.at(-1)
  const messageId = last?.type === 'done' ? last.reply._id : ''

  async function reconnect(lastEventId: string, after: number) {
    const stream = await openReplyStream(url, chatsApi.events, {
      as,
      params: { ...params, messageId },
      query: { after },
      headers: { 'last-event-id': lastEventId },
    })
    return await stream.readToEnd()
  }
  expect(await reconnect('3', 0)).toEqual(events.slice(3))
  // The address still has the number from which the browser began.
  expect(await reconnect('3', 1)).toEqual(events.slice(3))
  expect(await reconnect('not a number', 2)).toEqual(events.slice(2))
})
