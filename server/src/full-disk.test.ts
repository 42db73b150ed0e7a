import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { usersApi } from '@lyceum/contract/users'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '#testing/http-client.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createSmallDisk, type SmallDisk } from '#testing/small-disk.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'

const owner = { email: 'owner@example.org', fullName: 'Olu Owner', password: 'a sound password' }
const sourceFolder = fileURLToPath(new URL('.', import.meta.url))
/** Large enough to upload to: that is refused when less than 512 MB would stay free. */
const largeDisk = 2048
const smallDisk = 96

let parent: string
let disk: SmallDisk
let database: TestDatabase
let model: ModelStandIn
let server: SpawnedServer | undefined
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lyceum-full-'))
  disk = await createSmallDisk(parent, largeDisk)
  database = await createTestDatabase(disk.path)
  model = await startModelStandIn({ behavior: { text: 'One two three four five six seven.' } })
})
afterEach(async () => {
  await server?.kill()
  server = undefined
  await model.close()
  await database.drop()
  disk.remove()
  await rm(parent, { recursive: true, force: true })
})

function createEnv(): Record<string, string> {
  return {
    DATA_DIR: disk.folder,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'a-key',
    EMBEDDING_MODEL: 'none',
    ...(database.url ? { DATABASE_URL: database.url } : {}),
  }
}

async function start(): Promise<SpawnedServer> {
  const launcher = disk.run(process.execPath, join(sourceFolder, 'main.ts'))
  server = await spawnServer(createEnv(), { ...launcher, cwd: sourceFolder })
  return server
}

function runCommand(args: readonly string[], input = ''): { code: number; output: string } {
  const [program, ...rest] = disk.run(process.execPath, join(sourceFolder, 'cli.ts'), ...args).command
  const env = { PATH: '/usr/bin:/bin', LOG_LEVEL: 'error', ...createEnv() }
  try {
    return { code: 0, output: execFileSync(program, rest, { env, input, encoding: 'utf8', stdio: 'pipe' }) }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { code: status, output: stdout + stderr }
  }
}

async function signIn({ url }: SpawnedServer): Promise<HttpClient> {
  const { token = '' } = await createHttpClient(url, '').call(authApi.login, { body: owner })
  return createHttpClient(url, token)
}

async function createChannel(client: HttpClient, name: string): Promise<string> {
  const body = { name, description: 'Any', llmModel: 'gpt-4o' as const }
  return (await client.call(channelsApi.create, { body }))._id
}

function uploadDocument(client: HttpClient, channelId: string): Promise<Response> {
  const content = `${'Rooms close in the evening. '.repeat(40)}\n\n`.repeat(4000)
  return client.upload(documentsApi.upload, { channelId, title: 'rules.txt' }, { name: 'rules.txt', content })
}

interface Installation {
  client: HttpClient
  channelId: string
  chat: { channelId: string; chatId: string }
  documentId: string
}

/** An installation on a small disk with a document of 4.5 MB, a second channel, a chat and a second user. */
async function setUp(): Promise<Installation> {
  const first = await start()
  const anonymous = createHttpClient(first.url, '')
  await anonymous.call(authApi.register, { body: { ...owner, token: first.setupToken() } })
  let client = await signIn(first)
  const channelId = await createChannel(client, 'Handbook')
  await createChannel(client, 'Canteen')
  const { _id: documentId } = (await (await uploadDocument(client, channelId)).json()) as Document
  runCommand(['admin', 'create', '--email', 'ada@example.org', '--name', 'Ada'], 'a long password\n')
  await first.stop()

  await rm(join(disk.path, 'reserve'), { force: true })
  disk.resize(smallDisk)
  client = await signIn(await start())
  await expect.poll(hasReserve).toBe(true)
  const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
  return { client, channelId, chat: { channelId, chatId }, documentId }
}

function hasReserve(): boolean {
  return existsSync(join(disk.path, 'reserve'))
}

async function readDiskPart({ url }: SpawnedServer): Promise<[status: number, disk: string]> {
  const response = await fetch(`${url}/readyz`)
  return [response.status, ((await response.json()) as { parts: { disk: string } }).parts.disk]
}

async function countBlobs(): Promise<number> {
  const entries = readdirSync(join(disk.path, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

function send(client: HttpClient, params: Installation['chat'], message: string): Promise<Response> {
  return client.request(chatsApi.send, { params, body: { message } })
}

async function expectFull(response: Response): Promise<void> {
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([507, 'storage.full'])
}

describe('on a full disk', { timeout: 300_000 }, () => {
  it('refuses uploads and messages, and lets administrators sign in and delete', async () => {
    const { client: before, channelId, chat, documentId } = await setUp()
    await (await send(before, chat, 'Count')).json()
    disk.fill()
    expect(disk.freeBytes()).toBe(0)

    const running = server as SpawnedServer
    const client = await signIn(running)
    await expectFull(await uploadDocument(client, channelId))
    await expectFull(await send(client, chat, 'Count again'))
    expect(await readDiskPart(running)).toEqual([200, 'failed'])
    const { parts } = await client.call(statusApi.get, {})
    expect(parts.find(({ part }) => part === 'storage')).toMatchObject({
      state: 'failing',
      words: expect.stringContaining('The disk is full.'),
    })
    const doctor = runCommand(['doctor'])
    expect(doctor.output).toMatch(/^problem +disk space: 0\.0 GB free\. The disk is full: /m)
    expect(doctor.code).toBe(1)

    await createHttpClient(running.url, '').call(authApi.forgotPassword, { body: { email: owner.email } })
    await expect
      .poll(async () => (await readOutbox(disk.path)).map(({ text }) => text).join())
      .toContain('/reset-password?token=')
    const users = (await client.call(usersApi.list, {})) as { _id: string; email: string }[]
    const ada = users.find(({ email }) => email === 'ada@example.org')
    await client.call(documentsApi.remove, { params: { id: documentId } })
    await client.call(chatsApi.remove, { params: chat })
    await client.call(usersApi.remove, { params: { id: ada?._id ?? '' } })
    await client.call(channelsApi.remove, { params: { id: channelId } })
    // Files of deleted documents usually stay for a day.
    await expect.poll(countBlobs).toBe(0)
  })

  it('finishes a running reply, and accepts the next message as soon as there is space', async () => {
    const { client, chat, documentId } = await setUp()
    model.pause(3)
    const streamed = client.request(
      chatsApi.send,
      { params: chat, body: { message: 'Count' } },
      { accept: 'text/event-stream' },
    )
    await model.whenPaused(1)
    disk.fill()
    model.resume()
    expect(await (await streamed).text()).toContain('event: done')
    const { messages } = await client.call(chatsApi.get, { params: chat })
    expect(messages.at(-1)).toMatchObject({ state: 'complete', content: expect.stringContaining('seven.') })
    await expectFull(await send(client, chat, 'Count again'))
    await client.call(documentsApi.approve, { params: { id: documentId } })

    disk.free()
    await expect.poll(async () => (await send(client, chat, 'Count again')).status).toBe(200)
    await expect.poll(hasReserve).toBe(true)
    expect(await readDiskPart(server as SpawnedServer)).toEqual([200, 'ok'])
    await expect
      .poll(async () => (await client.call(chatsApi.search, { query: { q: 'again' } })).total)
      .toBe(1)
    await expect
      .poll(async () => ((await client.call(documentsApi.list, {})) as Document[])[0]?.index, {
        timeout: 60_000,
      })
      .toMatchObject({ state: 'ready', attempts: 1 })
  })

  it('keeps the text of a reply that cannot be saved until there is space', async () => {
    const { client, chat } = await setUp()
    model.pause(3)
    const streamed = client.request(
      chatsApi.send,
      { params: chat, body: { message: 'Count' } },
      { accept: 'text/event-stream' },
    )
    await model.whenPaused(1)
    await rm(join(disk.path, 'reserve'))
    disk.fill()
    model.resume()
    expect(await (await streamed).text()).toMatch(/event: (done|error)/)

    disk.free()
    await expect.poll(async () => (await send(client, chat, 'Count again')).status).toBe(200)
    const { messages } = await client.call(chatsApi.get, { params: chat })
    expect(messages[1]).toMatchObject({ state: 'complete', content: expect.stringContaining('seven.') })
  })

  it('starts after a crash, and stops', async () => {
    const { chat } = await setUp()
    disk.fill()
    await server?.kill()
    const again = await start()
    const client = await signIn(again)
    await expectFull(await send(client, chat, 'Count'))
    expect(await again.stop()).toBe(0)

    disk.free()
    const healthy = await start()
    await expect.poll(() => readDiskPart(healthy)).toEqual([200, 'ok'])
    expect((await send(await signIn(healthy), chat, 'Count')).status).toBe(200)
  })
})
