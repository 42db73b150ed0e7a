import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { connectPostgres } from './client.ts'
import { DatabaseInUse, type DatabaseLock, lockDatabase } from './database-lock.ts'

let records: MigratedDatabase
let url: string | undefined
let locks: DatabaseLock[]
beforeEach(async () => {
  records = await openMigratedDatabase()
  url = 'postgres' in records.location ? records.location.postgres : undefined
  locks = []
})
afterEach(async () => {
  for (const lock of locks) await lock.release()
  await records.close()
})

async function lock(): Promise<DatabaseLock> {
  const taken = await lockDatabase(url)
  locks.push(taken)
  return taken
}

/** Ends the connections that hold the lock; returns how many there were. */
async function terminateHolders(postgres: string): Promise<number | null> {
  const client = await connectPostgres(postgres)
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rowCount
  } finally {
    await client.end()
  }
}

describe('lockDatabase', () => {
  it('does nothing on SQLite, where the data folder is locked', async () => {
    if (url !== undefined) return
    await lock()
    await lock()
  })

  it('refuses a second lock until the first is released', async () => {
    if (url === undefined) return
    const first = await lock()
    await expect(lock()).rejects.toThrow(DatabaseInUse)
    const waiting = lock()
    await first.release()
    await waiting
  })

  it('takes the lock again when its connection breaks', async () => {
    if (url === undefined) return
    await lock()
    expect(await terminateHolders(url)).toBe(1)
    const postgres = url
    await expect.poll(() => terminateHolders(postgres)).toBe(1)
    await expect.poll(() => lock().catch((error: unknown) => error)).toBeInstanceOf(DatabaseInUse)
  })

  it('reports that another process took the lock while the connection was broken', async () => {
    if (url === undefined) return
    const first = await lock()
    const waiting = lock()
    const postgres = url
    await expect.poll(() => countWaiters(postgres)).toBe(1)
    await terminateHolders(url)
    await waiting
    expect(await first.taken).toBeInstanceOf(DatabaseInUse)
  })
})

async function countWaiters(postgres: string): Promise<number | null> {
  const client = await connectPostgres(postgres)
  try {
    const { rowCount } = await client.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rowCount
  } finally {
    await client.end()
  }
}
