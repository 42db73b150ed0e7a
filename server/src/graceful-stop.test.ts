import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { expect, it } from 'vitest'
import { createHttpClient } from '#testing/http-client.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { spawnServer } from '#testing/spawn-server.ts'
import { createTestDatabase } from '#testing/test-database.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

it('ends open streams on SIGTERM and keeps the text of a running reply', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-stop-'))
  const database = await createTestDatabase(folder)
  const model = await startModelStandIn({ behavior: { text: 'One two three four five six seven.' } })
  const env = {
    DATA_DIR: folder,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'a-key',
    EMBEDDING_MODEL: 'none',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  }
  try {
    const server = await spawnServer(env)
    const anonymous = createHttpClient(server.url, '')
    await anonymous.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
    const { token = '' } = await anonymous.call(authApi.login, { body: owner })
    const client = createHttpClient(server.url, token)
    const body = { name: 'Any', description: 'Any', llmModel: 'gpt-4o' as const }
    const { _id: channelId } = await client.call(channelsApi.create, { body })
    const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
    const params = { channelId, chatId }
    model.pause(3)
    const stream = await client.request(
      chatsApi.send,
      { params, body: { message: 'Count' } },
      { accept: 'text/event-stream' },
    )
    await model.whenPaused(1)
    const ended = stream.text()
    expect(await server.stop()).toBe(0)
    expect(await ended).toContain('event: accepted')

    const again = await spawnServer(env)
    try {
      const { messages } = await createHttpClient(again.url, token).call(chatsApi.get, { params })
      expect(messages.at(-1)).toMatchObject({ state: 'interrupted', content: expect.stringContaining('One') })
    } finally {
      await again.stop()
    }
  } finally {
    await model.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
