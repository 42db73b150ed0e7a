import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi, type ReplyEvent } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '#testing/http-client.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

let folder: string
let database: TestDatabase
let server: SpawnedServer | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-crash-'))
  database = await createTestDatabase(folder)
})
afterEach(async () => {
  await server?.kill()
  server = undefined
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<SpawnedServer> {
  server = await spawnServer({
    DATA_DIR: folder,
    ...(database.url ? { DATABASE_URL: database.url } : {}),
    ...env,
  })
  return server
}

async function signIn({ url }: SpawnedServer): Promise<HttpClient> {
  const { token = '' } = await createHttpClient(url, '').call(authApi.login, { body: owner })
  return createHttpClient(url, token)
}

interface Installation {
  client: HttpClient
  channelId: string
}

/** Starts a server and creates its first user and a channel. */
async function setUp(env: Record<string, string> = {}): Promise<Installation> {
  const running = await start(env)
  await createHttpClient(running.url, '').call(authApi.register, {
    body: { ...owner, token: running.setupToken() },
  })
  const client = await signIn(running)
  const channel = await client.call(channelsApi.create, {
    body: { name: 'Handbook', description: 'Rules', llmModel: 'gpt-4o' },
  })
  return { client, channelId: channel._id }
}

async function restart(env: Record<string, string> = {}): Promise<HttpClient> {
  return signIn(await start(env))
}

/** Kills the running server and starts one that kills itself at the fault point. */
async function restartWithFault(faultPoint: string, env: Record<string, string> = {}): Promise<HttpClient> {
  await server?.kill()
  return restart({ ...env, FAULT_POINT: faultPoint })
}

// Long enough for several passages, so that indexing can be interrupted halfway.
const rules = Array.from(
  { length: 60 },
  (_, i) =>
    `# Rule ${i + 1}\n\nRoom ${i + 1} closes at ${(i % 12) + 1} in the evening. ${'Please leave it tidy. '.repeat(20)}`,
).join('\n\n')

const key = { 'idempotency-key': 'upload-key-0001' }
function upload(client: HttpClient, channelId: string): Promise<Response> {
  return client.upload(
    documentsApi.upload,
    { channelId, title: 'rules.txt' },
    { name: 'rules.txt', content: rules },
    key,
  )
}

function replace(client: HttpClient, id: string): Promise<Response> {
  return client.upload(
    { ...documentsApi.replace, path: `/documents/${id}/versions` },
    {},
    { name: 'rules.txt', content: `${rules}\n` },
    { 'idempotency-key': 'replace-key-0001' },
  )
}

async function listDocuments(client: HttpClient): Promise<Document[]> {
  return (await client.call(documentsApi.list, {})) as Document[]
}

async function waitForReadyDocument(client: HttpClient): Promise<Document> {
  async function find() {
    return (await listDocuments(client))[0]
  }
  await expect
    .poll(async () => (await find())?.index.state, { timeout: 120_000, interval: 200 })
    .toBe('ready')
  const found = await find()
  if (!found) throw new Error('the document is missing')
  return found
}

describe('kill -9', { timeout: 300_000 }, () => {
  it.each(['blob.renamed', 'document.committed'])(
    'during an upload, at %s: leaves nothing partial, and a retry stores the document once',
    async (point) => {
      const { channelId } = await setUp()
      const client = await restartWithFault(point)
      await expect(upload(client, channelId)).rejects.toThrow()
      await server?.whenEnded
      const after = await restart()
      expect(await listDocuments(after)).toHaveLength(point === 'document.committed' ? 1 : 0)
      expect((await upload(after, channelId)).status).toBe(200)
      const [stored, ...more] = await listDocuments(after)
      expect(more).toEqual([])
      const file = await after.request(documentsApi.download, { params: { id: stored?._id ?? '' } })
      expect(await file.text()).toBe(rules)
    },
  )

  it.each(['blob.renamed', 'document.committed'])(
    'during a replacement, at %s: the approved version stays in use, and a retry stores the new one once',
    async (point) => {
      const { client: first, channelId } = await setUp()
      const { _id: id } = (await (await upload(first, channelId)).json()) as Document
      await first.call(documentsApi.approve, { params: { id } })
      await waitForReadyDocument(first)
      const client = await restartWithFault(point)
      await expect(replace(client, id)).rejects.toThrow()
      await server?.whenEnded
      const after = await restart()
      const count = point === 'document.committed' ? 2 : 1
      expect(await listDocuments(after)).toMatchObject([{ version: { count }, answering: { number: 1 } }])
      expect((await replace(after, id)).status).toBe(200)
      const [stored] = await listDocuments(after)
      expect(stored).toMatchObject({ status: 'pending', version: { count: 2 }, answering: { number: 1 } })
      const file = await after.request(documentsApi.download, { params: { id } })
      expect(await file.text()).toBe(`${rules}\n`)
    },
  )

  it.each(['approve.updated', 'approve.committed'])(
    'during an approval, at %s: leaves the document pending, or approved and then indexed',
    async (point) => {
      const { client: first, channelId } = await setUp()
      const { _id: id } = (await (await upload(first, channelId)).json()) as Document
      const client = await restartWithFault(point)
      await expect(client.call(documentsApi.approve, { params: { id } })).rejects.toThrow()
      await server?.whenEnded
      const after = await restart()
      const [found] = await listDocuments(after)
      expect(found?.status).toBe(point === 'approve.committed' ? 'approved' : 'pending')
      if (found?.status === 'pending') await after.call(documentsApi.approve, { params: { id } })
      expect((await waitForReadyDocument(after)).approvedBy?.name).toBe(owner.fullName)
    },
  )

  it('during indexing: the job resumes and produces the same passages as an uninterrupted run', async () => {
    const { client: first, channelId } = await setUp()
    const { _id: id } = (await (await upload(first, channelId)).json()) as Document
    const client = await restartWithFault('index.chunk')
    await client.call(documentsApi.approve, { params: { id } })
    await server?.whenEnded
    // The restarted server has the same node id, so it releases the job's lease at once.
    const resumed = await restart()
    const { index } = await waitForReadyDocument(resumed)
    await resumed.call(documentsApi.reindex, { params: { id } })
    const uninterrupted = await waitForReadyDocument(resumed)
    expect(index.passages).toBe(uninterrupted.index.passages)
    expect(index.passages).toBeGreaterThan(10)
  })

  it('during a reply: keeps the message and all text shown, and the reply can be regenerated', async () => {
    const model = await startModelStandIn({
      behavior: { text: 'Rooms close in the evening. Every one of them does.' },
    })
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'test-key', EMBEDDING_MODEL: 'none' }
    try {
      const { client, channelId } = await setUp(env)
      const chat = await client.call(chatsApi.create, { params: { channelId }, body: {} })
      const params = { channelId, chatId: chat._id }
      model.pause(4)
      const stream = await client.request(
        chatsApi.send,
        { params, body: { message: 'When do rooms close?' } },
        { accept: 'text/event-stream' },
      )
      const shown = await readUntilText(stream)
      await server?.kill()
      model.resume()

      const after = await restart(env)
      const { messages } = await after.call(chatsApi.get, { params })
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      const [question, reply] = messages
      expect(question?.content).toBe('When do rooms close?')
      expect(reply?.state).toBe('interrupted')
      expect(reply?.content.startsWith(shown)).toBe(true)
      expect(reply?.canContinue).toBe(true)
      const address = { params: { ...params, messageId: reply?._id ?? '' } }
      const again = await after.call(chatsApi.regenerate, address)
      expect(again.reply).toMatchObject({
        state: 'complete',
        content: expect.stringContaining('Every one of them does.'),
      })

      // Continue the interrupted reply, and kill the server after it has stored the row but before the first word.
      const key = { 'idempotency-key': 'continue-key-01' }
      const dying = await restartWithFault('message.committed', env)
      await expect(dying.request(chatsApi.continue, address, key)).rejects.toThrow()
      await server?.whenEnded
      const last = await restart(env)
      await last.request(chatsApi.continue, address, key)
      const broken = (await last.call(chatsApi.get, { params })).messages.at(-1)
      expect(broken).toMatchObject({
        state: 'interrupted',
        content: reply?.content,
        canContinue: true,
        versions: { current: 2 },
      })
      const whole = await last.call(chatsApi.continue, {
        params: { ...params, messageId: broken?._id ?? '' },
      })
      expect(whole.reply).toMatchObject({
        state: 'complete',
        content: 'Rooms close in the evening. Every one of them does.',
      })
    } finally {
      await model.close()
    }
  })

  it('between storing a message and the response: a retry stores the message once', async () => {
    const { client: first, channelId } = await setUp()
    const chat = await first.call(chatsApi.create, { params: { channelId }, body: {} })
    const params = { channelId, chatId: chat._id }
    function send(client: HttpClient) {
      return client.request(
        chatsApi.send,
        { params, body: { message: 'Hello' } },
        { 'idempotency-key': 'message-key-01' },
      )
    }
    await expect(send(await restartWithFault('message.committed'))).rejects.toThrow()
    await server?.whenEnded
    const after = await restart()
    expect((await send(after)).status).toBeLessThan(600)
    const { messages } = await after.call(chatsApi.get, { params })
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1)
  })
})

/** Reads a stream until the reply has text, and returns that text. */
async function readUntilText(stream: Response): Promise<string> {
  let seen = ''
  for await (const chunk of (stream.body ?? []) as AsyncIterable<Uint8Array>) {
    seen += new TextDecoder().decode(chunk)
    const events = [...seen.matchAll(/^data: (.*)\n/gm)].map(
      ([, data]) => JSON.parse(data ?? '') as ReplyEvent,
    )
    const text = events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
    if (text !== '') return text
  }
  throw new Error(`the reply ended without text:\n${seen}`)
}
