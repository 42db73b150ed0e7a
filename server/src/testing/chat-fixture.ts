import type { ChannelInput } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createTestChannel, createUser, type TestUser } from './factories.ts'
import { type ModelStandIn, startModelStandIn } from './model-stand-in.ts'
import { buildTestApp, type TestApp } from './test-app.ts'

interface ChatFixture {
  model: ModelStandIn
  app: TestApp
  channelId: string
  ada: TestUser
  /** An empty chat that belongs to Ada. */
  chatId: string
}

/** Starts a server with a model stand-in for a test file, and creates a channel with one member before each test. */
export function setUpChatFixture(
  onReady: (fixture: ChatFixture) => void,
  channel: Partial<ChannelInput> = {},
): void {
  let model: ModelStandIn
  let app: TestApp
  beforeAll(async () => {
    model = await startModelStandIn()
    app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  })
  beforeEach(async () => {
    model.reset()
    const channelId = await createTestChannel(app.deps, channel)
    const ada = await createUser(app.deps, { channels: [channelId] })
    const { body } = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    onReady({ model, app, channelId, ada, chatId: body._id })
  })
  afterAll(async () => {
    await app.close()
    await model.close()
  })
}
