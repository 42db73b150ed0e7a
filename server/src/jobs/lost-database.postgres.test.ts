import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as z from 'zod'
import { type Db, openDatabase } from '#db/client.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts'
import { defineJob } from './define-job.ts'
import { createJobQueue } from './queue.ts'
import { createJobRunner, type JobRunner, type RunnerDeps } from './runner.ts'

let records: MigratedDatabase
let proxy: TcpProxy
let db: Db
let runner: JobRunner
let ran: number
beforeEach(async () => {
  records = await openMigratedDatabase()
  if (!('postgres' in records.location)) throw new Error('This test needs PostgreSQL.')
  const url = records.location.postgres
  proxy = await startTcpProxy(url)
  db = openDatabase({ postgres: proxy.throughProxy(url), poolSize: 3 })
  ran = 0
})
afterEach(async () => {
  await runner.stop()
  await proxy.close()
  await db.destroy()
  await records.close()
})

/** Adds a job without retries and runs it. */
async function run(handler: () => Promise<void>): Promise<void> {
  const job = defineJob<RunnerDeps, object>({
    name: 'note',
    payload: z.object({}),
    retryDelays: [],
    async handler() {
      ran += 1
      await handler()
    },
  })
  await records.db.transaction().execute((tx) => createJobQueue(records.db, () => 1000).add(tx, job, {}))
  // The clock does not advance, so leases never expire and retries never become due.
  runner = createJobRunner({ db, log: pino({ level: 'silent' }), now: () => 1000, nodeId: 'this' }, [job])
  runner.start()
}

function listJobs() {
  return records.db.selectFrom('jobs').select(['state', 'run_at']).execute()
}

async function loseDatabase(): Promise<void> {
  await proxy.refuse()
  proxy.cutAll()
}

it('records the result of a job when the database is back, and does not run it again', async () => {
  await run(loseDatabase)
  await expect.poll(() => ran).toBe(1)
  await proxy.accept()
  await expect.poll(listJobs).toEqual([])
  expect(ran).toBe(1)
})

it('does not give a job up because the database was away', async () => {
  await run(async () => {
    await loseDatabase()
    await db.selectFrom('settings').select('key').execute()
  })
  await expect.poll(() => ran).toBe(1)
  await proxy.accept()
  await expect.poll(listJobs).toEqual([{ state: 'waiting', run_at: 61_000 }])
})

it('runs a job that was claimed although the answer was lost', async () => {
  const lost = proxy.loseNextAnswers('cut', 'update "jobs"')
  await run(async () => undefined)
  await lost
  await expect.poll(listJobs).toEqual([])
  expect(ran).toBe(1)
})
