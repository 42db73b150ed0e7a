import type { ReplyEvent } from '@lyceum/contract/chats'
import { chatsApi } from '@lyceum/contract/chats'
import { statusApi } from '@lyceum/contract/status'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  ask,
  type ClusterChat,
  follow,
  listReplies,
  setUpCluster,
  type TestCluster,
} from '#testing/cluster-chats.ts'
import { createHttpClient } from '#testing/http-client.ts'
import type { ReplyStream } from '#testing/reply-stream.ts'
import type { SpawnedServer } from '#testing/spawn-server.ts'

/** The end of a word must not be the beginning of a secret of the server, which it would hold back. */
const words = Array.from({ length: 40 }, (_, at) => `${at === 0 ? '' : ' '}word${at}!`)
/** The model pauses before this piece. */
const pauseAt = 20
const key = { 'idempotency-key': '0198a1c2-0000-7000-8000-000000000000' }

let cluster: TestCluster
let writer: SpawnedServer
let other: SpawnedServer
let chat: ClusterChat
setUpCluster((created) => {
  cluster = created
})
beforeEach(async () => {
  ;[writer, other] = await Promise.all([cluster.start('writer'), cluster.start('other')])
  // Only the server that came first prints a link.
  chat = await cluster.createChat(writer.setupToken() === '' ? other : writer)
})

function joinText(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}

/** Starts a reply on `writer`, which pauses after some words, and returns a reader there. */
async function startReply(): Promise<ReplyStream> {
  cluster.model.script({ text: words, delayMs: 20 })
  cluster.model.pause(pauseAt)
  return ask(writer, chat, key)
}

/** Lets the reply go on until it has this number of words. */
function resumeUntil(count: number): void {
  cluster.model.resume()
  cluster.model.pause(count)
}

/** Reads on until the reader has the words before the pause. */
async function readToPause(stream: ReplyStream, count = pauseAt): Promise<void> {
  const text = words.slice(0, count).join('')
  while (joinText(stream.events) !== text)
    if ((await stream.next()) === null)
      throw new Error(`the stream has ended: ${JSON.stringify([stream.refusal, stream.events.at(-1)])}`)
}

async function readId(stream: ReplyStream): Promise<string> {
  return (await stream.readUntil('accepted'))?.reply._id ?? ''
}

/** How often the reply was counted, and how often with the time to its first word, which only its writer knows. */
async function readCounts() {
  const waits = Array.from({ length: 12 }, (_, at) => `wait_${at}`).join(' + ')
  const { rows } = await sql<{ replies: number; timed: number }>`
    select sum(replies)::int as replies, sum(${sql.raw(waits)})::int as timed
    from usage_days where channel_id = ''`.execute(cluster.db)
  return rows[0]
}

async function makePushesFail(): Promise<void> {
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$`.execute(cluster.db)
  await sql`create trigger fail before insert on shared_event_log
    for each statement execute function fail()`.execute(cluster.db)
}

async function readDatabaseState(server: SpawnedServer): Promise<string | undefined> {
  const { parts } = await createHttpClient(server.url, chat.token).call(statusApi.get, {})
  return parts.find(({ part }) => part === 'database')?.state
}

describe('a running reply', () => {
  it('is read on another server as on its own, event by event', async () => {
    const own = await startReply()
    const id = await readId(own)
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
    const id = await readId(own)
    await readToPause(own)
    const stopped = await createHttpClient(other.url, chat.token).call(chatsApi.stop, {
      params: { ...chat.params, messageId: id },
    })
    expect(stopped).toMatchObject({ state: 'stopped', content: joinText(own.events) })
    expect((await own.readToEnd()).at(-1)).toMatchObject({ type: 'done', reply: { state: 'stopped' } })
    expect(await readCounts()).toEqual({ replies: 1, timed: 1 })
  })

  it('keeps everything that was shown when its server is killed, and is counted once', async () => {
    await cluster.start('third')
    const own = await startReply()
    const reader = await follow(other, chat, await readId(own), 0)
    await readToPause(own)
    await readToPause(reader)
    await writer.kill()
    const rest = await reader.readToEnd()
    expect(rest.at(-1)).toMatchObject({ type: 'error', reply: { state: 'interrupted' } })
    expect(await listReplies(other, chat)).toMatchObject([
      { state: 'interrupted', content: joinText(own.events) },
    ])
    expect(await readCounts()).toEqual({ replies: 1, timed: 0 })
    await expect
      .poll(() => sql`select from shared_event_log`.execute(cluster.db).then(({ rows }) => rows))
      .toEqual([])
  })

  it('keeps everything that was shown when all servers are killed and a single one starts', async () => {
    const own = await startReply()
    const reader = await follow(other, chat, await readId(own), 0)
    await readToPause(own)
    await readToPause(reader)
    await writer.kill()
    await other.kill()
    const single = await cluster.start('single', { CLUSTER: 'false' })
    expect(await listReplies(single, chat)).toMatchObject([
      { state: 'interrupted', content: joinText(own.events) },
    ])
  })

  it('is read on another server without a gap after the shared event log was lost', async () => {
    const own = await startReply()
    const id = await readId(own)
    await readToPause(own)
    await sql`delete from shared_event_log`.execute(cluster.db)
    const reader = await follow(other, chat, id, 0)
    resumeUntil(pauseAt + 10)
    await readToPause(reader, pauseAt + 10)
    cluster.model.resume()
    const events = await reader.readToEnd()
    expect(joinText(events)).toBe(words.join(''))
    expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content: words.join('') } })
  })

  it('goes on everywhere while the shared event log cannot be written', async () => {
    const own = await startReply()
    const reader = await follow(other, chat, await readId(own), 0)
    await readToPause(reader)
    await readToPause(own)
    expect(await readDatabaseState(writer)).toBe('ok')
    await makePushesFail()
    resumeUntil(pauseAt + 10)
    await readToPause(own, pauseAt + 10)
    await readToPause(reader, pauseAt + 10)
    expect(await readDatabaseState(writer)).toBe('attention')
    await sql`drop trigger fail on shared_event_log`.execute(cluster.db)
    cluster.model.resume()
    const content = words.join('')
    for (const stream of [own, reader]) {
      const events = await stream.readToEnd()
      expect(events.at(-1)).toMatchObject({ type: 'done', reply: { content } })
      expect(joinText(events)).toBe(content)
      const numbers = events.map(({ seq }) => seq)
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    }
    expect(await readDatabaseState(writer)).toBe('ok')
  })
})
