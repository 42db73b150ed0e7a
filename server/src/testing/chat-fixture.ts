import type { ChannelInput } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createPerson, createTestChannel, type Person } from './factories.ts'
import { type ModelStandIn, startModelStandIn } from './model-stand-in.ts'
import { buildTestApp, type TestApp } from './test-app.ts'

interface ChatRoom {
  model: ModelStandIn
  app: TestApp
  channelId: string
  ada: Person
  /** Of hers, and empty. */
  chatId: string
}

/** For a file of tests about chats: a server with a model behind it, and for each test a new channel with one member. */
export function inChatRoom(enter: (room: ChatRoom) => void, channel: Partial<ChannelInput> = {}): void {
  let model: ModelStandIn
  let app: TestApp
  beforeAll(async () => {
    model = await startModelStandIn()
    app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  })
  beforeEach(async () => {
    model.reset()
    const channelId = await createTestChannel(app.deps, channel)
    const ada = await createPerson(app.deps, { channels: [channelId] })
    const { body } = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    enter({ model, app, channelId, ada, chatId: body._id })
  })
  afterAll(async () => {
    await app.close()
    await model.close()
  })
}
