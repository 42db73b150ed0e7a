import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { insertNode } from '#cluster/node-store.ts'
import { repliesChannel } from '#db/database-lock.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { createPostgresLog, type PostgresEventLog } from './postgres-log.ts'

let records: MigratedDatabase
let first: PostgresEventLog
let second: PostgresEventLog
beforeEach(async () => {
  records = await openMigratedDatabase()
  first = createLog('first')
  second = createLog('second')
  for (const id of ['first', 'second'])
    await insertNode(records.db, { id, name: id, role: 'all', version: '1.2.3', newest_step: null }, 0)
})
afterEach(async () => {
  await first.close()
  await second.close()
  await records.close()
})

function createLog(node: string): PostgresEventLog {
  const { db } = records
  const log = pino({ level: 'silent' })
  return createPostgresLog({ node, writer: db, reader: db, channel: repliesChannel, log })
}

function frames(messageId: string, ...contents: string[]) {
  return contents.map((content) => ({ messageId, content }))
}

function countRows(): Promise<number> {
  return sql<{ rows: number }>`select count(*)::int as rows from shared_event_log`
    .execute(records.db)
    .then(({ rows: [row] }) => row?.rows ?? 0)
}

/** What every log must do is tested in cluster/links.compliance.test.ts. */
describe('a shared event log in PostgreSQL', () => {
  it('passes a reply on even if no announcement arrives', async () => {
    const seen: string[] = []
    second.follow('first', 'a', (contents) => void seen.push(...contents))
    await first.push(frames('a', 'one', 'two'))
    await expect.poll(() => seen).toEqual(['one', 'two'])
    await first.push(frames('a', 'three'))
    await expect.poll(() => seen).toEqual(['one', 'two', 'three'])
  })

  it('forgets a server that has ended, and what belongs to no server', async () => {
    await first.push(frames('a', 'one'))
    await second.push(frames('b', 'two'))
    await createLog('unknown').push(frames('c', 'three'))
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
})
