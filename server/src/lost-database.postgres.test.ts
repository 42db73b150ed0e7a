import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { invitationsApi } from '@lyceum/contract/invitations'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '#testing/http-client.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'

const text = 'Rooms close in the evening. Every one of them does.'
const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }

let folder: string
let database: TestDatabase
let proxy: TcpProxy
let server: SpawnedServer
let client: HttpClient
let channelId: string
let model: ModelStandIn

interface Answer {
  status: number
  retryAfter: string | null
  ms: number
}

async function ask(request: () => Promise<Response>): Promise<Answer> {
  const begun = performance.now()
  const response = await request()
  await response.text()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    ms: performance.now() - begun,
  }
}

/** Reads and writes of several features. */
const calls: readonly (() => Promise<Response>)[] = [
  () => client.request(channelsApi.list, {}),
  () => client.request(documentsApi.list, {}),
  () => client.request(usersApi.list, {}),
  () => client.request(chatsApi.list, { params: { channelId } }),
  () => client.request(chatsApi.create, { params: { channelId }, body: {} }),
  () => client.request(chatsApi.search, { query: { q: 'anything' } }),
  () => client.request(authApi.login, { body: owner }),
  () =>
    client.upload(
      documentsApi.upload,
      { channelId, title: 'rules.txt' },
      { name: 'rules.txt', content: `Doors close at ${Math.random()}.` },
    ),
]

function askAll(): Promise<Answer[]> {
  return Promise.all(calls.map(ask))
}

async function statusOf(path: string): Promise<number> {
  return (await fetch(server.url + path)).status
}

/** Every answer is a success, or says that it is worth trying again. */
function expectServedOrBusy(answers: readonly Answer[]): void {
  const others = answers.filter(({ status }) => status >= 300 && status !== 503)
  expect(others).toEqual([])
  for (const { status, retryAfter } of answers)
    if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
}

function expectBusy(answers: readonly Answer[]): void {
  expectServedOrBusy(answers)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
}

async function expectRecovery(): Promise<void> {
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  expect((await askAll()).map(({ status }) => status)).toEqual(calls.map(() => 200))
}

describe('a server whose database', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-lost-'))
    database = await createTestDatabase(folder)
    const url = database.url ?? ''
    proxy = await startTcpProxy(url)
    model = await startModelStandIn({ behavior: { text } })
    server = await spawnServer({
      DATA_DIR: folder,
      DATABASE_URL: proxy.throughProxy(url),
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'a-key',
      EMBEDDING_MODEL: 'none',
      LOG_LEVEL: 'silent',
    })
    const anonymous = createHttpClient(server.url, '')
    await anonymous.call(authApi.register, { body: { ...owner, token: server.setupToken() } })
    const { token = '' } = await anonymous.call(authApi.login, { body: owner })
    client = createHttpClient(server.url, token)
    const body = { name: 'Any', description: 'Any', llmModel: 'gpt-4o' as const }
    channelId = (await client.call(channelsApi.create, { body }))._id
  })
  afterAll(async () => {
    expect(await server.stop()).toBe(0)
    await proxy.close()
    await model.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('loses its connections again and again answers 503 or serves the call', async () => {
    const answers: Answer[] = []
    let isOver = false
    const load = calls.map(async (call) => {
      while (!isOver) answers.push(await ask(call))
    })
    for (let cuts = 0; cuts < 30; cuts += 1) {
      const { length } = answers
      await expect.poll(() => answers.length, { interval: 10 }).toBeGreaterThan(length + (cuts % 4))
      proxy.cutAll()
    }
    isOver = true
    await Promise.all(load)
    expectServedOrBusy(answers)
    expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    await expectRecovery()
  })

  it('hangs answers every call with 503, and serves again afterwards', async () => {
    const busy = calls.map(ask)
    proxy.freeze()
    expectServedOrBusy(await Promise.all(busy))
    const answers = (await Promise.all([askAll(), askAll(), askAll()])).flat()
    expectBusy(answers)
    // Waiting for the time limit of a statement would take 35 s.
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(20_000)
    expect(await Promise.all([statusOf('/healthz'), statusOf('/readyz')])).toEqual([200, 503])
    proxy.thaw()
    await expectRecovery()
  })

  it('restarts or fails over answers 503 while it is away', async () => {
    const busy = calls.map(ask)
    await proxy.refuse()
    proxy.cutAll()
    expectServedOrBusy(await Promise.all(busy))
    expectBusy(await askAll())
    expect(await Promise.all([statusOf('/healthz'), statusOf('/readyz')])).toEqual([200, 503])
    await proxy.accept()
    await expectRecovery()
  })

  it.each(['cut', 'silence', 'late'] as const)(
    'loses the answer to the COMMIT of a message (%s) gives the first result to the same key',
    async (kind) => {
      const params = await createChat()
      const lost = proxy.loseNextCommit(kind, 'insert into "messages"')
      const first = await ask(() => send(params, 'key-of-the-message'))
      await lost
      expectBusy([first])
      const again = await send(params, 'key-of-the-message')
      expect(again.status).toBe(200)
      expect(await listMessages(params)).toMatchObject([
        { role: 'user', content: 'When do rooms close?' },
        { role: 'assistant', state: 'complete', content: text },
      ])
    },
  )

  it.each(['cut', 'late'] as const)(
    'loses the answer to the COMMIT of an upload (%s) keeps the file and gives the first result to the same key',
    async (kind) => {
      const [title, content] = [`${kind}.txt`, `Doors close at nine, ${kind}.`]
      function upload(): Promise<Response> {
        const headers = { 'idempotency-key': `key-of-the-upload-${kind}` }
        return client.upload(documentsApi.upload, { channelId, title }, { name: title, content }, headers)
      }
      const lost = proxy.loseNextCommit(kind, 'insert into "documents"')
      // The server may find the document before it answers.
      expectServedOrBusy([await ask(upload)])
      await lost
      const again = await upload()
      expect(again.status).toBe(200)
      const { _id: id } = (await again.json()) as Document
      const stored = (await client.call(documentsApi.list, {})) as Document[]
      expect(stored.filter((document) => document.title === title).map(({ _id }) => _id)).toEqual([id])
      expect(await (await client.request(documentsApi.download, { params: { id } })).text()).toBe(content)
    },
  )

  it('loses the answer to the COMMIT of an invitation gives the first result to the same key', async () => {
    const twoFactor = { twoFactorExpiryEnabled: false, twoFactorExpiryDays: 30 }
    const body = { email: 'new@example.org', fullName: 'New', allowedChannels: [channelId], ...twoFactor }
    function invite(): Promise<Response> {
      return client.request(invitationsApi.create, { body }, { 'idempotency-key': 'key-of-the-invitation' })
    }
    const lost = proxy.loseNextCommit('cut', 'insert into "invitations"')
    expectBusy([await ask(invite)])
    await lost
    expect((await ask(invite)).status).toBe(200)
    const { length } = (await client.call(invitationsApi.list, {})) as unknown[]
    expect(length).toBe(1)
  })

  it('loses the answer to the COMMIT of a message writes the reply although nobody asks again', async () => {
    const params = await createChat()
    const lost = proxy.loseNextCommit('cut', 'insert into "messages"')
    expectBusy([await ask(() => send(params))])
    await lost
    await expect.poll(async () => (await listMessages(params)).at(-1)?.state).toBe('complete')
    expect((await send(params)).status).toBe(200)
  })

  it('hangs while a reply ends tells its reader, and saves the reply afterwards', async () => {
    const params = await createChat()
    model.pause(4)
    const sending = ask(() => send(params))
    await model.whenPaused()
    proxy.freeze()
    model.resume()
    expectBusy([await sending])
    proxy.thaw()
    await expect.poll(() => statusOf('/readyz')).toBe(200)
    await expect
      .poll(async () => (await listMessages(params)).at(-1))
      .toMatchObject({ state: 'complete', content: text })
  })

  it('restarts while a reply is written lets the reply end', async () => {
    const params = await createChat()
    model.pause(4)
    const sending = ask(() => send(params))
    await model.whenPaused()
    await proxy.refuse()
    proxy.cutAll()
    model.resume()
    await proxy.accept()
    expect(await sending).toMatchObject({ status: 200 })
    expect(await listMessages(params)).toMatchObject([{ role: 'user' }, { state: 'complete', content: text }])
  })
})

async function createChat(): Promise<{ channelId: string; chatId: string }> {
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  return { channelId, chatId }
}

function send(params: Record<string, string>, key?: string): Promise<Response> {
  const body = { message: 'When do rooms close?' }
  return client.request(chatsApi.send, { params, body }, key === undefined ? {} : { 'idempotency-key': key })
}

async function listMessages(params: { channelId: string; chatId: string }) {
  return (await client.call(chatsApi.get, { params })).messages
}
