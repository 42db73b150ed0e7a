import { readFileSync } from 'node:fs'
import { statusApi } from '@lyceum/contract/status'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAlone } from '#db/run-alone.ts'
import { type ClusterFixture, createClusterFixture, skewClock } from '#testing/cluster-fixture.ts'
import type { HttpClient } from '#testing/http-client.ts'
import { listChildren } from '#testing/processes.ts'

const slot = 30_000

let cluster: ClusterFixture
beforeEach(async () => {
  cluster = await createClusterFixture()
})
afterEach(() => cluster.close())

/** How much a clock must be ahead to be this far from the beginning of a time slot, which is the nearest one. */
function skewTo(distance: number): Record<string, string> {
  return skewClock(distance + slot / 2 - ((Date.now() + slot / 2) % slot))
}

async function recordClaims(): Promise<void> {
  for (const statement of [
    'create table claims (job text)',
    `create function record_claim() returns trigger language plpgsql as
       $$ begin insert into claims values (new.id); return null; end $$`,
    `create trigger claims after update on jobs for each row
       when (new.state = 'running' and new.fence is distinct from old.fence) execute function record_claim()`,
  ])
    await sql.raw(statement).execute(cluster.db)
}

async function listClaims(): Promise<{ job: string; claims: number }[]> {
  const { rows } = await sql<{ job: string; claims: number }>`
    select job, count(*) as claims from claims where job like '%@%' group by job order by job`.execute(
    cluster.db,
  )
  return rows
}

/** The sessions with which servers listen for jobs. A server that opens a new one looks for all jobs. */
async function listSessions(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and application_name like 'lyceum lock %' and query like 'listen %'`.execute(
    cluster.db,
  )
  return rows.map(({ pid }) => pid)
}

async function letServersLookForJobs(): Promise<void> {
  const ended = await listSessions()
  for (const pid of ended) await sql`select pg_terminate_backend(${pid}::int)`.execute(cluster.db)
  await expect
    .poll(async () => (await listSessions()).filter((pid) => !ended.includes(pid)).length)
    .toBe(ended.length)
}

describe('a repeating job', () => {
  it('runs once for a time slot on two servers whose clocks are in different slots', async () => {
    await recordClaims()
    await cluster.start('ahead', skewTo(5000))
    await cluster.start('behind', skewTo(-10_000))
    for (let times = 0; times < 4; times += 1) await letServersLookForJobs()
    await expect
      .poll(async () => (await listClaims()).map(({ job }) => job.split('@')[0]))
      .toContain('chats.sweep-replies')
    expect((await listClaims()).filter(({ claims }) => claims > 1)).toEqual([])
  })
})

function listBackupEntries() {
  return cluster.db.selectFrom('audit_log').select('action').where('action', '=', 'backup.made').execute()
}

function countBackupJobs(): Promise<number> {
  return cluster.db
    .selectFrom('jobs')
    .select('id')
    .where('name', 'like', 'backup.%')
    .where('state', 'in', ['waiting', 'running'])
    .execute()
    .then((rows) => rows.length)
}

async function isBackupWaiting(): Promise<boolean> {
  const { rows } =
    await sql`select from pg_locks where not granted and relation = 'test_questions'::regclass`.execute(
      cluster.db,
    )
  return rows.length > 0
}

async function requestBackup(client: HttpClient): Promise<void> {
  const { words } = await client.call(statusApi.test, { params: { part: 'backups' } })
  expect(words).toEqual(['A backup was started. Its result will appear here shortly.'])
}

describe('a backup', () => {
  function backupSettings(): Record<string, string> {
    return { BACKUP_EVERY: '1d', BACKUP_DIR: `s3://${cluster.settings('any')['S3_BUCKET']}/backups` }
  }

  it('does not run while another server makes one', async () => {
    const { client } = await cluster.setUp(await cluster.start('node', backupSettings()))
    await runAlone(cluster.location, 'backup', async () => {
      await requestBackup(client)
      await expect.poll(countBackupJobs).toBe(0)
    })
    expect(await listBackupEntries()).toEqual([])
    await requestBackup(client)
    await expect.poll(listBackupEntries).toHaveLength(1)
  })

  it('ends when its server is killed, and another server can make one', async () => {
    const first = await cluster.start('first', backupSettings())
    const { client } = await cluster.setUp(first)
    // The backup waits until it can read this table.
    const tables = await cluster.db.startTransaction().execute()
    await sql`lock table test_questions in access exclusive mode`.execute(tables)
    await requestBackup(client)
    await expect.poll(() => listChildren(first.pid)).toHaveLength(1)
    const [child = 0] = listChildren(first.pid)
    function isRunning(): boolean {
      try {
        return !readFileSync(`/proc/${child}/stat`, 'utf8').includes(') Z ')
      } catch {
        return false
      }
    }
    await expect.poll(isBackupWaiting).toBe(true)
    await first.kill()
    await expect.poll(isRunning).toBe(false)
    await tables.rollback().execute()
    await cluster.start('second', backupSettings())
    await expect.poll(listBackupEntries).toHaveLength(1)
  })
})
