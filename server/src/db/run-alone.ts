import { connectPostgres, type DatabaseLocation } from './client.ts'
import { keepAliveSettings } from './database-lock.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** The aborted signal means that another process may run the task from now on. */
type Task = (lost: AbortSignal) => Promise<void>

const runningInThisProcess = new Set<string>()

async function runOnSqlite(key: string, task: Task): Promise<boolean> {
  if (runningInThisProcess.has(key)) return false
  runningInThisProcess.add(key)
  try {
    await task(new AbortController().signal)
    return true
  } finally {
    runningInThisProcess.delete(key)
  }
}

async function runOnPostgres(url: string, name: string, task: Task): Promise<boolean> {
  const connection = await connectPostgres(url)
  const lost = new AbortController()
  try {
    await connection.query(keepAliveSettings)
    const { rows } = await connection.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
      [`lyceum run ${name}`],
    )
    if (!rows[0]?.locked) return false
    connection.once('end', () => lost.abort(new DatabaseUnavailable(new Error('The lock was lost.'))))
    await task(lost.signal)
    return true
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    await connection.end()
  }
}

/**
 * Runs the task, unless one with this name is running on the database: then returns false. On PostgreSQL this applies to
 * all processes: a session of its own has a lock while the task runs. The lock ends with the process, however that ends,
 * and stays with one that is suspended. SQLite has one server, so the lock is in memory.
 */
export function runAlone(location: DatabaseLocation, name: string, task: Task): Promise<boolean> {
  return 'sqlite' in location
    ? runOnSqlite(`${location.sqlite} ${name}`, task)
    : runOnPostgres(location.postgres, name, task)
}
