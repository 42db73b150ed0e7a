import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { connectPostgres, type Db } from './client.ts'

/** Another server, or a command that needs exclusive access, is using the database. */
export class DatabaseInUse extends Error {}

export interface DatabaseLock {
  /** Resolves when the lock was lost and another process has it: this one must stop using the database. */
  taken: Promise<DatabaseInUse>
  release(): Promise<void>
}

/** The connection that holds the lock, and what identifies it in PostgreSQL. */
interface Session {
  client: pg.Client
  pid: number
  startedAt: string
}

/**
 * How long to wait for the lock before giving up. A supervisor restarts a killed server at once, and PostgreSQL may
 * notice a moment later that the old one is gone.
 */
const lockTimeout = '3s'
const lockKey = "hashtext('lyceum server')"
const lockNotAvailable = '55P03'
const reconnectPause = 500

/**
 * PostgreSQL holds the lock until it notices that the connection is gone. Without these settings, a machine that loses
 * power would keep the next server out for hours.
 */
const keepAliveSettings =
  'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3'

/** Ends our own lost session in case PostgreSQL has not noticed yet that its connection broke. */
async function endSession(client: pg.Client, { pid, startedAt }: Session): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2',
    [pid, startedAt],
  )
}

async function takeLock(client: pg.Client): Promise<void> {
  try {
    await client.query(`set lock_timeout = '${lockTimeout}'`)
    await client.query(`select pg_advisory_lock(${lockKey})`)
  } catch (cause) {
    if ((cause as { code?: string }).code !== lockNotAvailable) throw cause
    throw new DatabaseInUse('Another Lyceum server is already using this database.', { cause })
  }
}

async function openSession(url: string, lost: Session | null): Promise<Session> {
  const client = await connectPostgres(url)
  try {
    await client.query(keepAliveSettings)
    if (lost) await endSession(client, lost)
    await takeLock(client)
    const { rows } = await client.query<{ pid: number; started_at: string }>(
      'select pid, backend_start::text as started_at from pg_stat_activity where pid = pg_backend_pid()',
    )
    const [row] = rows
    if (!row) throw new Error('PostgreSQL does not list this connection')
    return { client, pid: row.pid, startedAt: row.started_at }
  } catch (error) {
    await client.end()
    throw error
  }
}

async function lockPostgres(url: string): Promise<DatabaseLock> {
  const taken = Promise.withResolvers<DatabaseInUse>()
  let session = await openSession(url, null)
  let isReleased = false
  watch()

  function watch(): void {
    session.client.once('end', () => void retake())
  }

  async function retake(): Promise<void> {
    while (!isReleased)
      try {
        session = await openSession(url, session)
        if (isReleased) await session.client.end()
        else watch()
        return
      } catch (error) {
        if (error instanceof DatabaseInUse) return taken.resolve(error)
        await sleep(reconnectPause, undefined, { ref: false })
      }
  }

  return {
    taken: taken.promise,
    async release() {
      isReleased = true
      await session.client.end()
    },
  }
}

/**
 * Locks the database for this process, so that a second server cannot start on it. A dedicated connection holds the
 * lock, so it is released however the process ends. SQLite needs no lock: its file is in the data folder, which is
 * locked as a whole.
 */
export async function lockDatabase(postgres: string | undefined): Promise<DatabaseLock> {
  if (postgres !== undefined) return lockPostgres(postgres)
  return { taken: new Promise(() => undefined), release: async () => undefined }
}

/** Whether any process holds the lock of this PostgreSQL database. Does not wait for it. */
export async function isDatabaseLocked(db: Db): Promise<boolean> {
  // PostgreSQL splits the key of the lock into two columns.
  const { rows } = await sql`
    select from pg_locks where locktype = 'advisory' and granted and objsubid = 1
      and (classid::bigint << 32 | objid::bigint) = ${sql.raw(lockKey)}
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.length > 0
}
