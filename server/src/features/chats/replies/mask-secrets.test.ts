import { chatsApi } from '@lyceum/contract/chats'
import { expect, it } from 'vitest'
import { createTestChannel, createUser } from '#testing/factories.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp } from '#testing/test-app.ts'

it('neither stores nor shows the key of the model endpoint when the model repeats it', async () => {
  const key = 'sk-0f1e2d3c4b5a69788796'
  const model = await startModelStandIn()
  const app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: key } })
  try {
    const channelId = await createTestChannel(app.deps)
    const as = await createUser(app.deps, { channels: [channelId] })
    const { body: chat } = await app.call(chatsApi.create, { as, params: { channelId }, body: {} })
    model.script({ text: ['My key is ', key.slice(0, 9), `${key.slice(9)}.`] })
    const { body } = await app.call(chatsApi.send, {
      as,
      params: { channelId, chatId: chat._id },
      body: { message: 'Which key do you use?' },
    })
    expect(body.reply).toMatchObject({ state: 'complete', content: 'My key is ••••••••.' })
    const stored = await app.deps.db.selectFrom('messages').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(key)
  } finally {
    await app.close()
    await model.close()
  }
})
