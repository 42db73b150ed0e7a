import { channelsApi } from '@lyceum/contract/channels'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { chatsApi } from '@lyceum/contract/chats'
import { describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let chatId: string

setUpChatFixture((fixture) => {
  ;({ model, app, channelId, ada, chatId } = fixture)
})

const actual = { requested: 'gpt-4o', actual: 'gpt-4o' }

/** Uses every call that returns replies to the owner of a chat, and returns what each of them said. */
async function collectResponses(): Promise<Record<string, string>> {
  const url = await app.url()
  const params = { channelId, chatId }
  model.always({ text: 'Twenty days.' })
  const headers = { 'idempotency-key': 'key-of-the-question' }
  const sent = await app.call(chatsApi.send, { as: ada, params, body: { message: 'How many?' }, headers })
  const messageId = sent.body.reply._id
  const address = { ...params, messageId }
  const stream = await openReplyStream(url, chatsApi.regenerate, { as: ada, params: address })
  const repeated = await app.call(chatsApi.send, { as: ada, params, body: { message: 'How many?' }, headers })
  const followed = await openReplyStream(url, chatsApi.events, {
    as: ada,
    params: address,
    query: { after: 0 },
  })
  const responses = {
    send: sent.body,
    regenerate: await stream.readToEnd(),
    repeated: repeated.body,
    events: await followed.readToEnd(),
    get: (await app.call(chatsApi.get, { as: ada, params })).body,
    stop: (await app.call(chatsApi.stop, { as: ada, params: address })).body,
    rate: (await app.call(chatsApi.rate, { as: ada, params: address, body: { rating: 'good' } })).body,
    showVersion: (await app.call(chatsApi.showVersion, { as: ada, params: address })).body,
  }
  const file = await app.raw({
    method: 'GET',
    path: `/api/chat/${channelId}/chats/${chatId}/export?format=json`,
    as: ada,
  })
  const texts = Object.entries(responses).map(([name, body]) => [name, JSON.stringify(body)])
  return { ...Object.fromEntries(texts), export: String(file.bytes) }
}

describe('the model of a reply', () => {
  it('is in no response to a member', async () => {
    for (const [name, text] of Object.entries(await collectResponses())) {
      expect(text, name).toContain('Twenty days.')
      expect(text, name).not.toContain('gpt-4o')
      expect(text, name).not.toContain('"model":{')
    }
  })

  it('is not in the chat history', async () => {
    await collectResponses()
    const as = await createAdmin(app.deps, { permissions: { canViewChatHistory: true } })
    const { status, body } = await app.call(chatHistoryApi.get, { as, params: { id: chatId } })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('gpt-4o')
  })

  it('is shown to those who administer the channel', async () => {
    const as = await createAdmin(app.deps)
    const change = { as, params: { id: channelId, userId: ada.id }, body: { isAdmin: true } }
    expect((await app.call(channelsApi.setChannelAdmin, change)).status).toBe(200)
    for (const [name, text] of Object.entries(await collectResponses()))
      expect(text, name).toContain(JSON.stringify(actual))
  })
})
