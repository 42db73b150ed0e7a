import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '#testing/http-client.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { listTree, sendSignal } from '#testing/processes.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { beginRequest } from '#testing/unfinished-request.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

let folder: string
let database: TestDatabase
let model: ModelStandIn
let server: SpawnedServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-stop-'))
  database = await createTestDatabase(folder)
  model = await startModelStandIn({ behavior: { text: 'One two three four five six seven.' } })
})
afterEach(async () => {
  await server.kill()
  await model.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = await spawnServer({
    DATA_DIR: folder,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'a-key',
    EMBEDDING_MODEL: 'none',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  })
}

/** Starts a server with its first user and a channel. */
async function setUp(): Promise<{ client: HttpClient; channelId: string }> {
  await start()
  const anonymous = createHttpClient(server.url, '')
  await anonymous.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
  const client = await signIn()
  const body = { name: 'Any', description: 'Any', llmModel: 'gpt-4o' as const }
  const { _id: channelId } = await client.call(channelsApi.create, { body })
  return { client, channelId }
}

async function signIn(): Promise<HttpClient> {
  const { token = '' } = await createHttpClient(server.url, '').call(authApi.login, { body: owner })
  return createHttpClient(server.url, token)
}

/** Signals every process of the server three times, as a terminal does when launchers pass on what it sends. */
function signalEveryProcess(signal: NodeJS.Signals): void {
  for (let times = 0; times < 3; times += 1) for (const pid of listTree(server.pid)) sendSignal(pid, signal)
}

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s to all processes of the server', (signal) => {
  it('ends open streams and keeps the text of a running reply', async () => {
    const { client, channelId } = await setUp()
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
    signalEveryProcess(signal)
    expect(await server.exitCode).toBe(0)
    expect(await ended).toContain('event: accepted')
    expect(await ended).toMatch(/retry: 1000\n\n$/)

    await start()
    const { messages } = await (await signIn()).call(chatsApi.get, { params })
    expect(messages.at(-1)).toMatchObject({ state: 'interrupted', content: expect.stringContaining('One') })
  })
})

it('does not count a stop as a failed attempt to read a document', async () => {
  const { client, channelId } = await setUp()
  const content = 'Rooms close in the evening.\n\n'.repeat(100_000)
  const file = { name: 'rules.txt', content }
  const uploaded = await client.upload(documentsApi.upload, { channelId, title: 'rules.txt' }, file)
  const { _id: id } = (await uploaded.json()) as Document
  await client.call(documentsApi.approve, { params: { id } })
  // Makes the stop last longer than the child that reads the document.
  const request = await beginRequest(server.url)
  await expect.poll(() => listTree(server.pid).length, { interval: 5 }).toBe(2)
  signalEveryProcess('SIGTERM')
  await expect.poll(() => listTree(server.pid).length).toBe(1)
  await request.finish()
  expect(await server.exitCode).toBe(0)
  expect(server.output()).not.toContain('job failed')

  await start()
  const again = await signIn()
  async function getIndexState() {
    return ((await again.call(documentsApi.list, {})) as Document[])[0]?.index
  }
  await expect.poll(async () => (await getIndexState())?.state, { timeout: 120_000 }).toBe('ready')
  expect((await getIndexState())?.reason ?? null).toBeNull()
})
