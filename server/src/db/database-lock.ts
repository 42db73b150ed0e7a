import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { connectPostgres, type Db } from './client.ts'
import type { PostgresConnection } from './postgres-connection.ts'

/** Another server, or a command that needs exclusive access, is using the database. */
export class DatabaseInUse extends Error {}

/** Receives what PostgreSQL sends to the session of the lock. */
export interface NotificationListener {
  notified(text: string, channel: string): void
  /** The session was lost for a while, and perhaps notifications with it. */
  missed(): void
}

export interface DatabaseLock {
  /** Resolves when the lock was lost and another process has it: this one must stop using the database. */
  taken: Promise<DatabaseInUse>
  /** Passes on the notifications that arrive from now on. */
  onNotification(listener: NotificationListener): void
  release(): Promise<void>
}

/**
 * How long to wait for the lock before giving up. A supervisor restarts a killed server at once, and PostgreSQL may
 * notice a moment later that the old one is gone.
 */
const lockTimeout = '3s'
const lockKey = "hashtext('lyceum server')"
/** On this channel PostgreSQL tells all servers which jobs were added. */
export const jobsChannel = 'lyceum_jobs'
/** On this channel the servers of a cluster tell each other about running replies. */
export const repliesChannel = 'lyceum_replies'
/** On this channel the servers of a cluster tell each other that the stored connections have changed. */
export const connectionsChannel = 'lyceum_connections'
const lockNotAvailable = '55P03'
/** How long to wait for each answer, in milliseconds: longer than for the lock. */
const answerTimeout = 5000
const reconnectPause = 500
const releaseTimeout = 1000

/**
 * PostgreSQL holds the lock until it notices that the connection is gone. Without these settings, a machine that loses
 * power would keep the next server out for hours.
 */
export const keepAliveSettings =
  'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3'

// PostgreSQL splits the key of the lock into two columns.
const isServerLock = `locktype = 'advisory' and objsubid = 1
  and (classid::bigint << 32 | objid::bigint) = ${lockKey}
  and database = (select oid from pg_database where datname = current_database())`

/** A process that has the lock or wants it. */
interface Holder {
  /** Its sessions have this name. */
  name: string
  /** Whether others may hold the lock at the same time, if they share it too. */
  isShared: boolean
}

/** Whether another process keeps this one from the lock. Sessions of this process have its name. */
async function isTaken(client: pg.Client, { name, isShared }: Holder): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks join pg_stat_activity using (pid)
     where ${isServerLock} and granted and application_name is distinct from $1
       ${isShared ? `and mode = 'ExclusiveLock'` : ''}`,
    [name],
  )
  return rowCount !== 0
}

async function takeLock(client: pg.Client, holder: Holder): Promise<void> {
  try {
    await client.query(`set lock_timeout = '${lockTimeout}'`)
    await client.query(`select pg_advisory_lock${holder.isShared ? '_shared' : ''}(${lockKey})`)
  } catch (cause) {
    if ((cause as { code?: string }).code !== lockNotAvailable || !(await isTaken(client, holder)))
      throw cause
    throw new DatabaseInUse('Another Lyceum server is already using this database.', { cause })
  }
}

/** Opens a session that holds the lock and listens for added jobs, and for other servers if there may be any. */
async function openSession(url: string, holder: Holder): Promise<PostgresConnection> {
  const client = await connectPostgres(url, { application_name: holder.name, query_timeout: answerTimeout })
  try {
    await client.query(keepAliveSettings)
    // Ends our own lost sessions, in case PostgreSQL has not noticed yet that their connections broke.
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      [holder.name],
    )
    await takeLock(client, holder)
    await client.query(`listen ${jobsChannel}`)
    if (holder.isShared) await client.query(`listen ${repliesChannel}; listen ${connectionsChannel}`)
    return client
  } catch (error) {
    client.abort('the lock was not taken')
    throw error
  }
}

async function lockPostgres(url: string, isShared: boolean): Promise<DatabaseLock> {
  const taken = Promise.withResolvers<DatabaseInUse>()
  const holder = { name: `lyceum lock ${randomUUID()}`, isShared }
  let session = await openSession(url, holder)
  let isReleased = false
  let listener: NotificationListener | null = null
  watch()

  function watch(): void {
    session.once('end', () => void retake())
    session.on('notification', ({ payload = '', channel }) => listener?.notified(payload, channel))
  }

  async function retake(): Promise<void> {
    while (!isReleased)
      try {
        session = await openSession(url, holder)
        if (isReleased) return session.abort('the lock was released')
        watch()
        return listener?.missed()
      } catch (error) {
        if (error instanceof DatabaseInUse) return taken.resolve(error)
        await sleep(reconnectPause, undefined, { ref: false })
      }
  }

  return {
    taken: taken.promise,
    onNotification(added) {
      listener = added
    },
    async release() {
      isReleased = true
      // A PostgreSQL that hangs does not end the session.
      await Promise.race([session.end(), sleep(releaseTimeout, undefined, { ref: false })])
      session.abort('the lock was released')
    },
  }
}

/**
 * Locks the database for this process, so that a second server cannot start on it, except that the servers of a cluster
 * share the lock. A dedicated connection holds the lock, so it is released however the process ends; notifications
 * arrive over the same connection. SQLite needs no lock: its file is in the data folder, which is locked as a whole.
 */
export async function lockDatabase(
  postgres: string | undefined,
  { isShared = false } = {},
): Promise<DatabaseLock> {
  if (postgres !== undefined) return lockPostgres(postgres, isShared)
  return {
    taken: new Promise(() => undefined),
    onNotification: () => undefined,
    release: async () => undefined,
  }
}

/** Whether any process holds the lock of this PostgreSQL database. Does not wait for it. */
export async function isDatabaseLocked(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where granted and ${sql.raw(isServerLock)}`.execute(db)
  return rows.length > 0
}
