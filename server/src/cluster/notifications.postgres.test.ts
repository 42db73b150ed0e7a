import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DatabaseLock, jobsChannel, lockDatabase } from '#db/database-lock.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { announceConnections } from '../connections/stored.ts'
import type { Deps } from '../deps.ts'
import { createNotificationListener } from './notifications.ts'

let records: MigratedDatabase
/** Only the connection of the lock goes through it. */
let proxy: TcpProxy
let lock: DatabaseLock
let stopping: AbortController
/** What the server does, in order. */
let steps: string[]
let reload: () => Promise<void>

beforeEach(async () => {
  records = await openMigratedDatabase()
  if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
  proxy = await startTcpProxy(records.location.postgres)
  lock = await lockDatabase(proxy.throughProxy(records.location.postgres), { isShared: true })
  stopping = new AbortController()
  steps = []
  reload = async () => void steps.push('reload')
  const deps = {
    connections: { reload: () => reload() },
    jobs: { receive: (text: string) => void steps.push(text) },
    clusterLinks: { receive: () => undefined, missed: () => undefined },
    log: pino({ level: 'silent' }),
  } as unknown as Deps
  const worker = { poll: () => undefined }
  lock.onNotification(createNotificationListener(deps, { worker, stopping: stopping.signal }))
})
afterEach(async () => {
  stopping.abort()
  await lock.release()
  await proxy.close()
  await records.close()
})

/** Adds a job to a change, as another server would. */
function changeConnections(job: string): Promise<void> {
  return records.db.transaction().execute(async (tx) => {
    await announceConnections(tx)
    await sql`select pg_notify(${jobsChannel}, ${job})`.execute(tx)
  })
}

it('does not read the connections again after a change that was rolled back', async () => {
  const failing = records.db.transaction().execute(async (tx) => {
    await announceConnections(tx)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await changeConnections('after it')
  await expect.poll(() => steps).toEqual(['reload', 'after it'])
})

it('tries again until the connections could be read, and runs no job of the change before', async () => {
  let failures = 2
  reload = async () => {
    steps.push('reload')
    failures -= 1
    if (failures >= 0) throw new Error('no connection to the database')
  }
  await changeConnections('check them')
  await expect.poll(() => steps).toEqual(['reload', 'reload', 'reload', 'check them'])
})

it('reads the connections again when notifications may have been lost', async () => {
  proxy.cutAll()
  await expect.poll(() => steps).toEqual(['reload'])
})
