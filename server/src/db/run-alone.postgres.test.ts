import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { runAlone } from './run-alone.ts'

let records: MigratedDatabase
beforeEach(async () => {
  records = await openMigratedDatabase()
})
afterEach(() => records.close())

it('tells a task that its lock was lost, and fails as if the database were away', async () => {
  const run = runAlone(records.location, 'backup', async (lost) => {
    // Before the lock is lost, because an event that has passed never comes again.
    const aborted = new Promise((resolve) => lost.addEventListener('abort', resolve, { once: true }))
    await sql`select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
        and objid = (hashtextextended('lyceum run backup', 0) & 4294967295)::oid`.execute(records.db)
    await aborted
    throw new Error('stopped')
  })
  await expect(run).rejects.toThrow(DatabaseUnavailable)
  expect(await runAlone(records.location, 'backup', async () => undefined)).toBe(true)
})
