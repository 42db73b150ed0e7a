import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertNode } from '#cluster/node-store.ts'
import { type Db, openDatabase } from '#db/client.ts'
import { type DatabaseLock, lockDatabase, repliesChannel } from '#db/database-lock.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import type { SharedEventLog } from './port.ts'
import { createPostgresLog, type PostgresEventLog } from './postgres-log.ts'

let records: MigratedDatabase
/** Only the pushes of `first` go through it. */
let proxy: TcpProxy
let writer: Db
let lock: DatabaseLock
let first: PostgresEventLog
let second: PostgresEventLog
beforeEach(async () => {
  records = await openMigratedDatabase()
  if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
  const { postgres } = records.location
  proxy = await startTcpProxy(postgres)
  writer = openDatabase({ postgres: proxy.throughProxy(postgres), poolSize: 1 })
  first = createLog('first', writer)
  second = createLog('second', records.db)
  for (const id of ['first', 'second'])
    await insertNode(records.db, { id, name: id, role: 'all', version: '1.2.3' }, 0)
  lock = await lockDatabase(postgres, { isShared: true })
})
afterEach(async () => {
  await first.close()
  await second.close()
  await lock.release()
  await writer.destroy()
  await proxy.close()
  await records.close()
})

function createLog(node: string, pushDb: Db): PostgresEventLog {
  const log = pino({ level: 'silent' })
  return createPostgresLog({ node, writer: pushDb, reader: records.db, channel: repliesChannel, log })
}

function frames(messageId: string, ...contents: string[]) {
  return contents.map((content) => ({ messageId, content }))
}

function collect(log: SharedEventLog, node: string, messageId: string) {
  const seen: string[] = []
  return { seen, stop: log.follow(node, messageId, (contents) => void seen.push(...contents)) }
}

function countRows(): Promise<number> {
  return sql<{ rows: number }>`select count(*)::int as rows from shared_event_log`
    .execute(records.db)
    .then(({ rows: [row] }) => row?.rows ?? 0)
}

/** Passes on announcements as the server does. */
function listen(): void {
  lock.onNotification({
    notified(text) {
      const [, node = '', n] = text.split(' ')
      second.added(node, Number(n))
    },
    missed: second.poll,
  })
}

describe('a shared event log', () => {
  it('returns nothing for servers and replies that it does not know', async () => {
    await first.push(frames('a', 'one'))
    expect(await second.read('third', ['a'])).toEqual([])
    expect(await second.read('second', ['a'])).toEqual([])
    expect(await second.read('first', ['b'])).toEqual([])
  })

  it('returns what was pushed for some replies, oldest first', async () => {
    const text = 'quoted "text" {with} \\ and, 🙂 \\u0000'
    await first.push([...frames('a', 'one', ''), ...frames('b', 'other'), ...frames('a', text)])
    await first.push([...frames('c', 'four'), ...frames('a', 'three')])
    await second.push(frames('a', 'of another server'))
    expect(await second.read('first', ['a'])).toEqual(frames('a', 'one', '', text, 'three'))
    expect(await second.read('first', ['c', 'b'])).toEqual([...frames('b', 'other'), ...frames('c', 'four')])
  })

  it('passes a reply on to all who follow it, from its beginning and in order', async () => {
    listen()
    const expected = Array.from({ length: 40 }, (_, at) => String(at))
    await first.push(frames('a', '0'))
    const early = collect(second, 'first', 'a')
    for (const content of expected.slice(1, 20))
      await first.push([...frames('b', 'no'), ...frames('a', content)])
    const late = collect(second, 'first', 'a')
    const other = collect(second, 'first', 'b')
    for (const content of expected.slice(20)) await first.push(frames('a', content))
    await expect.poll(() => early.seen).toEqual(expected)
    await expect.poll(() => late.seen).toEqual(expected)
    await expect.poll(() => other.seen).toEqual(Array.from({ length: 19 }, () => 'no'))
    early.stop()
    await first.push(frames('a', 'end'))
    await expect.poll(() => late.seen.at(-1)).toBe('end')
    expect(early.seen).toEqual(expected)
  })

  it('passes a reply on even if no announcement arrives', async () => {
    const reader = collect(second, 'first', 'a')
    await first.push(frames('a', 'one', 'two'))
    await expect.poll(() => reader.seen).toEqual(['one', 'two'])
    await first.push(frames('a', 'three'))
    await expect.poll(() => reader.seen).toEqual(['one', 'two', 'three'])
  })

  it('forgets a server that has ended, and what belongs to no server', async () => {
    await first.push(frames('a', 'one'))
    await second.push(frames('b', 'two'))
    await createLog('unknown', records.db).push(frames('c', 'three'))
    await second.forget('first')
    expect(await second.read('first', ['a'])).toEqual([])
    expect(await second.read('second', ['b'])).toEqual(frames('b', 'two'))
    expect(await countRows()).toBe(1)
  })

  it('forgets what has expired', async () => {
    await first.push(frames('a', 'one'))
    await sql`update shared_event_log set at = 0`.execute(records.db)
    await first.push(frames('a', 'two'))
    await expect.poll(() => second.read('first', ['a'])).toEqual(frames('a', 'two'))
  })

  it('fails while it cannot be reached, and goes on afterwards without what was lost', async () => {
    listen()
    const reader = collect(second, 'first', 'a')
    await first.push(frames('a', 'one'))
    expect(first.isFailing).toBe(false)
    await proxy.refuse()
    proxy.cutAll()
    await expect(first.push(frames('a', 'two'))).rejects.toThrow()
    expect(first.isFailing).toBe(true)
    await proxy.accept()
    await expect.poll(() => first.push(frames('a', 'three')).then(() => first.isFailing)).toBe(false)
    await expect.poll(() => reader.seen).toEqual(['one', 'three'])
  })
})
