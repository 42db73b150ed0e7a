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
import { carryByPostgres, carryByRedis, type LinkCarrier } from '#testing/link-carriers.ts'
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

const key = { 'idempotency-key': '0198a1c2-0000-7000-8000-000000000000' }

let cluster: TestCluster
let carrier: LinkCarrier
let writer: SpawnedServer
let other: SpawnedServer
let chat: ClusterChat
setUpCluster((created) => {
  cluster = created
})

/** Starts two servers. */
async function setUp(carry: (created: TestCluster) => Promise<LinkCarrier>): Promise<void> {
  carrier = await carry(cluster)
  ;[writer, other] = await Promise.all([
    cluster.start('writer', carrier.env),
    cluster.start('other', carrier.env),
  ])
  // Only the server that came first prints a link.
  chat = await cluster.createChat(writer.setupToken() === '' ? other : writer)
}

/** Starts a reply on `writer`, which pauses after some words, and returns a reader there. */
function startReply(): Promise<ReplyStream> {
  return startPausedReply(cluster, writer, chat, key)
}

async function readDatabaseState(server: SpawnedServer): Promise<string | undefined> {
  const { parts } = await createHttpClient(server.url, chat.token).call(statusApi.get, {})
  return parts.find(({ part }) => part === 'database')?.state
}

describe.each([
  ['PostgreSQL', carryByPostgres],
  ['Redis', carryByRedis],
])('a running reply, shared through %s,', (_name, carry) => {
  beforeEach(() => setUp(carry))
  afterEach(() => carrier.close())

  it('is read on another server as on its own, event by event', async () => {
    const own = await startReply()
    const id = await readReplyId(own)
    const fromStart = await follow(other, chat, id, 0)
    await readToPause(fromStart)
    await readToPause(own)
    // Joins later, after the number of the last event that the reader had from the other server.
    const resumed = await follow(other, chat, id, own.events.at(-1)?.seq ?? 0)
    const earlier = await follow(other, chat, id, 3)
    const repeated = await ask(other, chat, key)
    cluster.model.resume()
    const events = await own.readToEnd()
    expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content: words.join('') } })
    for (const stream of [fromStart, resumed, earlier]) {
      const [status, ...rest] = await stream.readToEnd()
      expect(status).toMatchObject({ type: 'status' })
      expect(rest).toEqual(events.filter(({ seq }) => seq > Math.max(status?.seq ?? 0, 1)))
    }
    const accepted = await repeated.readUntil('accepted')
    const text = `${accepted?.reply.content}${joinText(await repeated.readToEnd())}`
    expect(text).toBe(words.join(''))
    expect(cluster.model.requests).toHaveLength(1)
  })

  it('is stopped from another server by its writer, with all of its text', async () => {
    const own = await startReply()
    const id = await readReplyId(own)
    await readToPause(own)
    const stopped = await createHttpClient(other.url, chat.token).call(chatsApi.stop, {
      params: { ...chat.params, messageId: id },
    })
    expect(stopped).toMatchObject({ state: 'stopped', content: joinText(own.events) })
    expect((await own.readToEnd()).at(-1)).toMatchObject({ type: 'done', reply: { state: 'stopped' } })
    expect(await readReplyCounts(cluster)).toEqual({ replies: 1, timed: 1 })
  })

  it('keeps everything that was shown when its server is killed, and is counted once', async () => {
    await cluster.start('third', carrier.env)
    const own = await startReply()
    const reader = await follow(other, chat, await readReplyId(own), 0)
    await readToPause(own)
    await readToPause(reader)
    await writer.kill()
    const rest = await reader.readToEnd()
    expect(rest.at(-1)).toMatchObject({ type: 'error', reply: { state: 'interrupted' } })
    expect(await listReplies(other, chat)).toMatchObject([
      { state: 'interrupted', content: joinText(own.events) },
    ])
    expect(await readReplyCounts(cluster)).toEqual({ replies: 1, timed: 0 })
    await expect.poll(carrier.countLogs).toBe(0)
  })

  it('is read on another server without a gap after the shared event log was lost', async () => {
    const own = await startReply()
    const id = await readReplyId(own)
    await readToPause(own)
    await carrier.loseLogs()
    const reader = await follow(other, chat, id, 0)
    resumeUntil(cluster, pauseAt + 10)
    await readToPause(reader, pauseAt + 10)
    cluster.model.resume()
    const events = await reader.readToEnd()
    expect(joinText(events)).toBe(words.join(''))
    expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content: words.join('') } })
  })

  it('goes on everywhere while the shared event log cannot be written', async () => {
    const own = await startReply()
    const reader = await follow(other, chat, await readReplyId(own), 0)
    await readToPause(reader)
    await readToPause(own)
    expect(await readDatabaseState(writer)).toBe('ok')
    await carrier.makePushesFail()
    resumeUntil(cluster, pauseAt + 10)
    await readToPause(own, pauseAt + 10)
    await readToPause(reader, pauseAt + 10)
    expect(await readDatabaseState(writer)).toBe('attention')
    await carrier.makePushesWork()
    cluster.model.resume()
    const content = words.join('')
    for (const stream of [own, reader]) {
      const events = await stream.readToEnd()
      expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content } })
      expect(joinText(events)).toBe(content)
      const numbers = events.map(({ seq }) => seq)
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    }
    await expect.poll(() => readDatabaseState(writer)).toBe('ok')
  })
})

it('a running reply keeps everything that was shown when all servers are killed and a single one starts', async () => {
  await setUp(carryByPostgres)
  const own = await startReply()
  const reader = await follow(other, chat, await readReplyId(own), 0)
  await readToPause(own)
  await readToPause(reader)
  await writer.kill()
  await other.kill()
  const single = await cluster.start('single', { CLUSTER: 'false' })
  expect(await listReplies(single, chat)).toMatchObject([
    { state: 'interrupted', content: joinText(own.events) },
  ])
})
