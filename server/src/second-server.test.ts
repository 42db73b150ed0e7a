import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPostgres, openDatabase } from '#db/client.ts'
import { createJobQueue } from '#jobs/queue.ts'
import { runCli } from '#testing/run-cli.ts'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { mailJobs } from './mail/send-mail.ts'

let home: string
let database: TestDatabase
let server: SpawnedServer
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lyceum-second-'))
  database = await createTestDatabase(home)
  server = await spawnServer(settings('first'))
})
afterAll(async () => {
  await server.kill()
  await database.drop()
  await rm(home, { recursive: true, force: true })
})

/** With PostgreSQL each process has its own data folder. With SQLite they share one, because the database is in it. */
function settings(folder: string): Record<string, string> {
  return database.url ? { DATA_DIR: join(home, folder), DATABASE_URL: database.url } : { DATA_DIR: home }
}

const inUse = /^Another Lyceum server is already (using this database|running on .*)\.\n$/
const stopItFirst = /^A Lyceum server is (using this database|running on .*)\. Stop it before you .*\.\n$/

describe('a database that a server is using', () => {
  it('makes a second server exit with code 3 and one sentence', async () => {
    const { code, stderr } = await runCli(['start'], { ...settings('second'), PORT: '0' })
    expect(stderr).toMatch(inUse)
    expect(code).toBe(3)
  })

  it.each([[['migrate']], [['restore', '--finish']]])('rejects %s with one sentence', async (command) => {
    const { code, stderr } = await runCli(command, settings('second'))
    expect(stderr).toMatch(stopItFirst)
    expect(code).toBe(1)
  })

  it('rejects seed with one sentence', async () => {
    const { code, stderr } = await runCli(['seed'], settings('second'))
    expect(stderr).toMatch(inUse)
    expect(code).toBe(1)
  })

  it('accepts commands that can run alongside a server', async () => {
    const { code, stdout } = await runCli(['audit', 'verify'], settings('second'))
    expect(stdout).toMatch(/^1 entry, chain intact\n/)
    expect(code).toBe(0)
  })

  it('can be used as soon as its server is killed', async () => {
    await server.kill()
    server = await spawnServer(settings('second'))
  })
})

describe('a server on PostgreSQL', () => {
  it('runs the jobs that another process adds, without waiting for a poll', async () => {
    if (database.url === undefined) return
    const [job] = mailJobs
    if (!job) throw new Error('There are no jobs for emails.')
    const db = openDatabase(database.location)
    const queue = createJobQueue(db, Date.now)
    // The server polls at least every 30 s, so one of these jobs could be found without a notification.
    for (let failed = 1; failed <= 4; failed += 1) {
      const expired = { messageId: `m${failed}`, sealed: '', expiresAt: 1 }
      await db.transaction().execute((tx) => queue.add(tx, job, expired))
      await expect.poll(() => queue.count('failed')).toBe(failed)
    }
    await db.destroy()
  })
})

describe('a server whose lock another process took', () => {
  it('stops with code 3', async () => {
    const { url } = database
    if (url === undefined) return
    // Unlike a server, it waits for the lock for as long as it takes to cut the connection of the holder.
    const other = await connectPostgres(url)
    const waiting = other.query(`select pg_advisory_lock(hashtext('lyceum server'))`)
    const client = await connectPostgres(url)
    await expect
      .poll(async () => {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(holder.pid) from pg_locks holder
           join pg_locks waiting using (locktype, database, classid, objid, objsubid)
           where locktype = 'advisory' and holder.granted and not waiting.granted
             and database = (select oid from pg_database where datname = current_database())`,
        )
        return rowCount
      })
      .toBe(1)
    await client.end()
    await waiting
    expect(await server.exitCode).toBe(3)
    expect(server.output()).toContain('another server took over the database')
    await other.end()
  })
})
