import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { connectPostgres } from './client.ts'
import { DatabaseInUse, type DatabaseLock, lockDatabase } from './database-lock.ts'

let records: MigratedDatabase
let url: string
let proxy: TcpProxy
let locks: DatabaseLock[]
beforeEach(async () => {
  records = await openMigratedDatabase()
  if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
  url = records.location.postgres
  proxy = await startTcpProxy(url)
  locks = []
})
afterEach(async () => {
  for (const lock of locks) await lock.release()
  await proxy.close()
  await records.close()
})

async function lock(address = url, isShared = false): Promise<DatabaseLock> {
  const taken = await lockDatabase(address, { isShared })
  locks.push(taken)
  return taken
}

/** Takes the lock through the proxy. */
function lockThroughProxy(): Promise<DatabaseLock> {
  return lock(proxy.throughProxy(url))
}

/** Sessions with the lock (`granted`) or waiting for it. */
const lockSessions = `pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`

async function query(text: string): Promise<{ pid: number }[]> {
  const client = await connectPostgres(url)
  try {
    return (await client.query<{ pid: number }>(text)).rows
  } finally {
    await client.end()
  }
}

async function listHolders(): Promise<number[]> {
  const holders = await query(`select pid from ${lockSessions} and granted`)
  return holders.map(({ pid }) => pid)
}

async function findHolder(): Promise<number | undefined> {
  return (await listHolders())[0]
}

/** Ends the connections that hold the lock; returns how many there were. */
async function terminateHolders(): Promise<number> {
  const ended = await query(`select pg_terminate_backend(pid) from ${lockSessions} and granted`)
  return ended.length
}

async function countWaiters(): Promise<number> {
  return (await query(`select pid from ${lockSessions} and not granted`)).length
}

async function isRefused(): Promise<boolean> {
  return (await lock().catch((error: unknown) => error)) instanceof DatabaseInUse
}

describe('lockDatabase', () => {
  it('refuses a second lock until the first is released', async () => {
    const first = await lock()
    await expect(lock()).rejects.toThrow(DatabaseInUse)
    const waiting = lock()
    await first.release()
    await waiting
  })

  it('takes the lock again when its connection breaks', async () => {
    await lock()
    expect(await terminateHolders()).toBe(1)
    await expect.poll(terminateHolders).toBe(1)
    await expect.poll(isRefused).toBe(true)
  })

  it('reports that another process took the lock while the connection was broken', async () => {
    const first = await lock()
    // Unlike a server, it waits for the lock for as long as this test needs.
    const other = await connectPostgres(url)
    const waiting = other.query(`select pg_advisory_lock(hashtext('lyceum server'))`)
    await expect.poll(countWaiters).toBe(1)
    await terminateHolders()
    await waiting
    expect(await first.taken).toBeInstanceOf(DatabaseInUse)
    await other.end()
  })

  it('takes the lock from its own lost sessions, which PostgreSQL believes to be alive', async () => {
    const { taken } = await lockThroughProxy()
    let isTaken = false
    void taken.then(() => {
      isTaken = true
    })
    // PostgreSQL grants the lock to the second session, which is lost before the answer arrives.
    proxy.delay(100)
    for (let round = 0; round < 3; round += 1) {
      const before = await findHolder()
      proxy.cutOurEnds()
      await expect.poll(async () => [undefined, before].includes(await findHolder())).toBe(false)
    }
    proxy.delay(0)
    await expect.poll(() => proxy.connectionCount()).toBe(1)
    expect(isTaken).toBe(false)
    expect(await isRefused()).toBe(true)
  })

  it('keeps the lock while PostgreSQL hangs or refuses connections, and takes it again afterwards', async () => {
    await lockThroughProxy()
    const before = await findHolder()
    proxy.freeze()
    expect(await isRefused()).toBe(true)
    await proxy.refuse()
    proxy.thaw()
    expect(await findHolder()).toBe(before)
    proxy.cutAll()
    await expect.poll(findHolder).toBe(undefined)
    await proxy.accept()
    await expect.poll(findHolder).not.toBe(undefined)
    expect(await isRefused()).toBe(true)
  })

  it('can be shared, which keeps out only those who want it for themselves', async () => {
    const [first, second] = [await lock(url, true), await lock(url, true)]
    expect(await isRefused()).toBe(true)
    await first.release()
    expect(await isRefused()).toBe(true)
    await second.release()
    await lock()
    await expect(lock(url, true)).rejects.toThrow(DatabaseInUse)
  })

  it('is shared again when its connection breaks, also while others share it', async () => {
    const { taken } = await lock(url, true)
    let isTaken = false
    void taken.then(() => {
      isTaken = true
    })
    await lock(url, true)
    const before = await listHolders()
    expect(await terminateHolders()).toBe(2)
    await expect.poll(async () => (await listHolders()).filter((pid) => !before.includes(pid)).length).toBe(2)
    expect(isTaken).toBe(false)
  })

  it('can be released while PostgreSQL hangs', async () => {
    const first = await lockThroughProxy()
    proxy.freeze()
    await first.release()
  })
})
