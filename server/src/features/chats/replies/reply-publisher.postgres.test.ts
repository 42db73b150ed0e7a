import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Db, openDatabase } from '#db/client.ts'
import { repliesChannel } from '#db/database-lock.ts'
import type { SharedEventLog } from '#providers/shared-event-log/port.ts'
import { createPostgresLog } from '#providers/shared-event-log/postgres-log.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { createReplyPublisher, type ReplyPublisher } from './reply-publisher.ts'

let records: MigratedDatabase
/** Only pushes go through it. */
let proxy: TcpProxy
let writer: Db
let eventLog: SharedEventLog
let publisher: ReplyPublisher
/** What happened, such as `stored 2` and `shown 2`. */
let happened: string[]
beforeEach(async () => {
  records = await openMigratedDatabase()
  if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
  const { postgres } = records.location
  proxy = await startTcpProxy(postgres)
  writer = openDatabase({ postgres: proxy.throughProxy(postgres), poolSize: 1 })
  const log = pino({ level: 'silent' })
  eventLog = createPostgresLog({ node: 'this', writer, reader: records.db, channel: repliesChannel, log })
  happened = []
  publisher = createReplyPublisher({
    eventLog: {
      ...eventLog,
      isFailing: false,
      async push(frames) {
        await eventLog.push(frames)
        happened.push(`stored ${frames.length}`)
      },
    },
    show: (_, seq) => void happened.push(`shown ${seq}`),
    log,
  })
})
afterEach(async () => {
  await publisher.flush()
  await eventLog.close()
  await writer.destroy()
  await proxy.close()
  await records.close()
})

function add(seq: number): void {
  publisher.add([{ id: 'reply', last_event: seq, isEnd: true }])
}

async function readNumbers(): Promise<number[]> {
  const frames = await eventLog.read('this', ['reply'])
  return frames.map(({ content }) => (JSON.parse(content) as { last_event: number }).last_event)
}

it('stores what was written together in one batch, and then shows it', async () => {
  let seq = 0
  // PostgreSQL may be too slow at first.
  await expect
    .poll(async () => {
      happened = []
      add(seq + 1)
      add(seq + 2)
      seq += 2
      await publisher.flush()
      return happened
    })
    .toSatisfy((events: string[]) => events.join() === `stored 2,shown ${seq - 1},shown ${seq}`)
})

it('shows text although the database does not answer, and stores it later', async () => {
  add(1)
  await publisher.flush()
  happened = []
  proxy.freeze()
  add(2)
  await expect.poll(() => happened).toEqual(['shown 2'])
  add(3)
  await expect.poll(() => happened).toEqual(['shown 2', 'shown 3'])
  add(4)
  await expect.poll(() => happened).toEqual(['shown 2', 'shown 3', 'shown 4'])
  proxy.thaw()
  // What was under way is lost if the connection counts as broken by now.
  await expect.poll(async () => (await readNumbers()).at(-1)).toBe(4)
})

it('shows text although the database is away', async () => {
  await proxy.refuse()
  add(1)
  await expect.poll(() => happened).toContain('shown 1')
  await publisher.flush()
  expect(eventLog.isFailing).toBe(true)
  await proxy.accept()
  add(2)
  await publisher.flush()
  expect(await readNumbers()).toEqual([2])
  expect(eventLog.isFailing).toBe(false)
})
