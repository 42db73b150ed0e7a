import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import type { TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let ada: TestUser
let params: { channelId: string; chatId: string }

setUpChatFixture((fixture) => {
  ;({ model, app, ada } = fixture)
  params = { channelId: fixture.channelId, chatId: fixture.chatId }
})

const maxLength = 128_000

function joinDeltas(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}

it.each([
  ['one huge piece', ['x'.repeat(1_000_000)]],
  ['many pieces', Array.from({ length: 40 }, () => 'x'.repeat(4000))],
])('an endless answer in %s ends at the limit, and what is shown is stored', async (_what, text) => {
  model.script({ text })
  const stream = await openReplyStream(await app.url(), chatsApi.send, {
    as: ada,
    params,
    body: { message: 'Write on and on' },
  })
  const events = await stream.readToEnd()
  expect(events.at(-1)).toMatchObject({ type: 'error', reply: { state: 'interrupted' } })
  expect(joinDeltas(events)).toHaveLength(maxLength)
  const { body } = await app.call(chatsApi.get, { as: ada, params })
  expect(body.messages.at(-1)?.content).toHaveLength(maxLength)
})
