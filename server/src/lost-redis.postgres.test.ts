import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ask,
  type ClusterChat,
  follow,
  listReplies,
  setUpCluster,
  type TestCluster,
} from '#testing/cluster-chats.ts'
import { createHttpClient } from '#testing/http-client.ts'
import {
  joinText,
  pauseAt,
  readReplyCounts,
  readReplyId,
  readToPause,
  resumeUntil,
  startPausedReply,
  words,
} from '#testing/paused-replies.ts'
import type { ReplyStream } from '#testing/reply-stream.ts'
import type { SpawnedServer } from '#testing/spawn-server.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { startTestRedis, type TestRedis } from '#testing/test-redis.ts'

const wholeText = words.join('')

let cluster: TestCluster
let redis: TestRedis
let proxies: TcpProxy[]
let writer: SpawnedServer
let other: SpawnedServer
let chat: ClusterChat
setUpCluster((created) => {
  cluster = created
})
beforeEach(async () => {
  proxies = []
  redis = await startTestRedis()
})
afterEach(async () => {
  for (const proxy of proxies) await proxy.close()
  await redis.close()
})

/** Starts two servers. The settings of the writer may lead through a proxy. */
async function startServers(
  ofWriter: Record<string, string> = {},
  ofOther: Record<string, string> = {},
): Promise<void> {
  const common = { REDIS_URL: redis.url }
  ;[writer, other] = await Promise.all([
    cluster.start('writer', { ...common, ...ofWriter }),
    cluster.start('other', { ...common, ...ofOther }),
  ])
  chat = await cluster.createChat(writer.setupToken() === '' ? other : writer)
}

async function createProxy(url: string): Promise<TcpProxy> {
  const proxy = await startTcpProxy(url)
  proxies.push(proxy)
  return proxy
}

async function addChat(): Promise<ClusterChat> {
  const { token, params } = chat
  const { _id: chatId } = await createHttpClient(writer.url, token).call(chatsApi.create, {
    params: { channelId: params.channelId },
    body: {},
  })
  return { token, params: { ...params, chatId } }
}

/** Starts a reply on `writer`, which pauses after some words, and returns its readers on both servers. */
async function startReadReply(): Promise<{ own: ReplyStream; reader: ReplyStream }> {
  const own = await startPausedReply(cluster, writer, chat)
  const reader = await follow(other, chat, await readReplyId(own), 0)
  for (const stream of [own, reader]) await readToPause(stream)
  return { own, reader }
}

async function readHealth({ url }: SpawnedServer) {
  const response = await fetch(`${url}/readyz`)
  const { parts } = (await response.json()) as { parts: Record<string, string> }
  const status = await createHttpClient(url, chat.token).call(statusApi.get, {})
  const database = status.parts.find(({ part }) => part === 'database')
  return { ready: response.status, redis: parts['redis'], state: database?.state, words: database?.words }
}

function expectHealthy(server: SpawnedServer) {
  return expect.poll(() => readHealth(server)).toMatchObject({ ready: 200, redis: 'ok', state: 'ok' })
}

/** Both readers have all words, each once. */
async function expectComplete(streams: readonly ReplyStream[]): Promise<void> {
  for (const stream of streams) {
    const events = await stream.readToEnd()
    expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content: wholeText } })
    expect(joinText(events)).toBe(wholeText)
    const numbers = events.map(({ seq }) => seq)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  }
}

describe.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
  ['stopped', () => redis.stop(), () => redis.start()],
  ['killed', () => redis.kill(), () => redis.start()],
  ['suspended', () => redis.pause(), () => redis.resume()],
])('while Redis is %s,', (_name, lose, restore) => {
  it('replies go on everywhere, and all is normal again by itself', async () => {
    await startServers()
    await expectHealthy(writer)
    const chats = [chat, await addChat()]
    cluster.model.always({ text: words, delayMs: 20 })
    cluster.model.pause(pauseAt)
    const owns = await Promise.all(chats.map((entry) => ask(writer, entry)))
    const readers: ReplyStream[] = []
    for (const [at, own] of owns.entries())
      readers.push(await follow(other, chats[at] ?? chat, await readReplyId(own), 0))
    const streams = [...owns, ...readers]
    for (const stream of streams) await readToPause(stream)

    await lose()
    resumeUntil(cluster, pauseAt + 10)
    for (const stream of streams) await readToPause(stream, pauseAt + 10)
    for (const server of [writer, other])
      expect(await readHealth(server)).toEqual({
        ready: 200,
        redis: 'failed',
        state: 'attention',
        words:
          'Running replies cannot be shared with the other servers, because Redis does not work. If this server ends now, up to a second of their text is lost.',
      })

    await restore()
    for (const server of [writer, other]) await expectHealthy(server)
    cluster.model.resume()
    await expectComplete(streams)
    const { own, reader } = await startReadReply()
    expect(await redis.client.keys('lyceum:log:*')).toHaveLength(1)
    cluster.model.resume()
    await expectComplete([own, reader])
  })
})

it('a reply goes on everywhere when Redis is replaced by an empty one', async () => {
  await startServers()
  const { own, reader } = await startReadReply()
  await redis.kill()
  await redis.start()
  resumeUntil(cluster, pauseAt + 10)
  for (const stream of [own, reader]) await readToPause(stream, pauseAt + 10)
  for (const server of [writer, other]) await expectHealthy(server)
  cluster.model.resume()
  await expectComplete([own, reader])
})

it('servers start and stop without Redis, and use it once it is there', async () => {
  await redis.stop()
  await startServers()
  expect(await readHealth(writer)).toMatchObject({ ready: 200, redis: 'failed', state: 'attention' })
  await redis.start()
  for (const server of [writer, other]) await expectHealthy(server)
  const { own, reader } = await startReadReply()
  cluster.model.resume()
  await expectComplete([own, reader])
  await redis.kill()
  expect(await Promise.all([writer.stop(), other.stop()])).toEqual([0, 0])
})

it('a reply whose server is killed together with Redis is interrupted with its last snapshot', async () => {
  await startServers()
  const { own } = await startReadReply()
  const saved = joinText(own.events)
  await expect.poll(async () => (await cluster.findReply()).content).toBe(saved)
  resumeUntil(cluster, pauseAt + 10)
  await readToPause(own, pauseAt + 10)
  await Promise.all([redis.kill(), writer.kill()])
  await expect
    .poll(() => listReplies(other, chat), { timeout: 60_000 })
    .toMatchObject([{ state: 'interrupted', content: expect.stringMatching(new RegExp(`^${saved}`)) }])
  const { content } = await cluster.findReply()
  expect(joinText(own.events).startsWith(content)).toBe(true)
  expect(await readReplyCounts(cluster)).toEqual({ replies: 1, timed: 0 })
})

it('a reply is stopped by its server although that cannot reach Redis', async () => {
  const proxy = await createProxy(redis.url)
  await startServers({ REDIS_URL: proxy.throughProxy(redis.url) })
  const { own } = await startReadReply()
  const { id: messageId } = await cluster.findReply()
  await proxy.refuse()
  proxy.cutAll()
  resumeUntil(cluster, pauseAt + 10)
  await readToPause(own, pauseAt + 10)
  const stopped = await createHttpClient(other.url, chat.token).call(chatsApi.stop, {
    params: { ...chat.params, messageId },
  })
  expect(stopped).toMatchObject({ state: 'stopped', content: joinText(own.events) })
  expect((await own.readToEnd()).at(-1)).toMatchObject({ type: 'done', reply: { state: 'stopped' } })
  expect(await readReplyCounts(cluster)).toEqual({ replies: 1, timed: 1 })
})

it('a reply whose server reaches only Redis is ended once, by another server, with all its text', async () => {
  const proxy = await createProxy(cluster.databaseUrl)
  await startServers({ DATABASE_URL: proxy.throughProxy(cluster.databaseUrl) })
  const { own, reader } = await startReadReply()
  await proxy.refuse()
  proxy.cutAll()
  resumeUntil(cluster, pauseAt + 10)
  for (const stream of [own, reader]) await readToPause(stream, pauseAt + 10)
  expect(await writer.exitCode).toBe(14)
  const shown = joinText(own.events)
  expect((await reader.readToEnd()).at(-1)).toMatchObject({
    type: 'error',
    reply: { state: 'interrupted', content: shown },
  })
  expect(await listReplies(other, chat)).toMatchObject([{ state: 'interrupted', content: shown }])
  expect(await readReplyCounts(cluster)).toEqual({ replies: 1, timed: 0 })
})

it('limits are exact over all servers, local without Redis, and exact again afterwards', async () => {
  // An hour, from one network.
  const limit = 10
  async function countRefused({ url }: SpawnedServer, address: string, requests: number): Promise<number> {
    const client = createHttpClient(url, '')
    const statuses: number[] = []
    for (let n = 0; n < requests; n += 1) {
      const input = { body: { email: 'nobody@example.org' } }
      const { status } = await client.request(authApi.forgotPassword, input, { 'x-forwarded-for': address })
      statuses.push(status)
    }
    return statuses.filter((status) => status === 429).length
  }
  await startServers(
    { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: 'loopback' },
    { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: 'loopback' },
  )
  for (const server of [writer, other]) await expectHealthy(server)
  expect(await countRefused(writer, '192.0.2.1', limit - 4)).toBe(0)
  expect(await countRefused(other, '192.0.2.1', 6)).toBe(2)

  await redis.stop()
  for (const server of [writer, other]) expect(await countRefused(server, '198.51.100.1', limit + 1)).toBe(1)

  await redis.start()
  for (const server of [writer, other]) await expectHealthy(server)
  expect(await countRefused(writer, '203.0.113.1', limit - 4)).toBe(0)
  expect(await countRefused(other, '203.0.113.1', 6)).toBe(2)
  // They have also added what they counted by themselves.
  await expect
    .poll(async () => {
      const [key] = await redis.client.keys('lyceum:rate:forgot|*|198.51.100.*')
      return key && redis.client.get(key)
    })
    .toBe(String(2 * (limit + 1)))
})
