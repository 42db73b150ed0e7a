import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Db, openDatabase } from '#db/client.ts'
import { type DatabaseLock, lockDatabase } from '#db/database-lock.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { defineJob } from './define-job.ts'
import { createJobQueue, type JobQueue } from './queue.ts'
import { createJobRunner, type JobRunner, type RunnerDeps } from './runner.ts'

let records: MigratedDatabase
/** Only the connection of the lock goes through it. */
let proxy: TcpProxy
let lock: DatabaseLock
let otherDb: Db
let own: JobQueue
/** The queue of another process. */
let other: JobQueue
beforeEach(async () => {
  records = await openMigratedDatabase()
  if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
  proxy = await startTcpProxy(records.location.postgres)
  lock = await lockDatabase(proxy.throughProxy(records.location.postgres))
  otherDb = openDatabase(records.location)
  own = createJobQueue(records.db, Date.now)
  other = createJobQueue(otherDb, Date.now)
})
afterEach(async () => {
  await lock.release()
  await proxy.close()
  await otherDb.destroy()
  await records.close()
})

interface TestDeps extends RunnerDeps {
  ran: string[]
}

const note = defineJob({
  name: 'note',
  payload: z.object({ text: z.string() }),
  retryDelays: [],
  handler: async ({ ran }: TestDeps, { text }) => void ran.push(text),
})

function add(db: Db, queue: JobQueue, text: string): Promise<void> {
  return db.transaction().execute((tx) => queue.add(tx, note, { text }))
}

describe('a runner on PostgreSQL', () => {
  let deps: TestDeps
  let runner: JobRunner
  beforeEach(async () => {
    deps = {
      db: records.db,
      log: pino({ level: 'silent' }),
      now: Date.now,
      nodeId: 'this',
      ran: [],
    }
    runner = createJobRunner(deps, [note])
    own.onAdded((name) => runner.wake(name))
    lock.onNotification({ notified: own.receive, missed: () => runner.poll() })
    runner.start()
    await add(records.db, own, 'first')
    await expect.poll(() => deps.ran).toEqual(['first'])
  })
  afterEach(() => runner.stop())

  // The next poll comes after 30 s, which is longer than these tests wait.
  it('runs the jobs that other processes add, without waiting for a poll', async () => {
    await add(otherDb, other, 'second')
    await expect.poll(() => deps.ran).toEqual(['first', 'second'])
  })

  it('runs the jobs that were added while its connection for notifications was cut', async () => {
    await proxy.refuse()
    proxy.cutAll()
    await add(otherDb, other, 'missed')
    await proxy.accept()
    await expect.poll(() => deps.ran).toEqual(['first', 'missed'])
    await add(otherDb, other, 'afterwards')
    await expect.poll(() => deps.ran).toEqual(['first', 'missed', 'afterwards'])
  })
})

describe('a queue on PostgreSQL', () => {
  it('learns of the jobs that others add and retry, once they are committed', async () => {
    const woken: string[] = []
    const received: string[] = []
    own.onAdded((name) => woken.push(name))
    lock.onNotification({
      notified(text) {
        received.push(text)
        own.receive(text)
      },
      missed: () => undefined,
    })
    await add(records.db, own, 'own')
    const failing = otherDb.transaction().execute(async (tx) => {
      await other.add(tx, note, { text: 'rolled back' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const [job] = await records.db.updateTable('jobs').set({ state: 'failed' }).returning('id').execute()
    await otherDb.transaction().execute((tx) => other.retry(tx, job?.id ?? ''))
    await expect.poll(() => received).toHaveLength(2)
    // Its own job has woken the runner without a notification.
    expect(woken).toEqual(['note', 'note'])
  })
})
