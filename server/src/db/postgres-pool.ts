import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { watchConnections } from './postgres-watch.ts'

interface Options {
  url: string
  size: number
  /** How long PostgreSQL may work on one statement, in milliseconds; null for no limit. */
  statementTimeout: number | null
  /** How long a statement may wait for a lock, in milliseconds; undefined for no limit of its own. */
  lockTimeout?: number | undefined
}

/** How long a request waits for a connection, whether it waits for its turn or for PostgreSQL. */
const connectionTimeout = 1500

/** The connections of the server. A statement that PostgreSQL no longer answers fails within two seconds. */
export function createPool({ url, size, statementTimeout, lockTimeout }: Options): PostgresPool {
  const pool = new pg.Pool({
    Client: PostgresConnection,
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectionTimeout,
    idleTimeoutMillis: 30_000,
    ...(statementTimeout === null ? {} : { statement_timeout: statementTimeout }),
    ...(lockTimeout === undefined ? {} : { lock_timeout: lockTimeout }),
    application_name: 'lyceum',
  })
  // The pool repeats errors of idle connections, which it has removed by then. Without a listener, they end the process.
  pool.on('error', () => undefined)
  const connections = new Set<PostgresConnection>()
  pool.on('connect', (client) => connections.add(client as unknown as PostgresConnection))
  pool.on('remove', (client) => connections.delete(client as unknown as PostgresConnection))
  const stopWatching = watchConnections(connections, { url, statementTimeout })
  return {
    options: pool.options,
    async connect() {
      try {
        return (await pool.connect()) as unknown as Awaited<ReturnType<PostgresPool['connect']>>
      } catch (error) {
        throw new DatabaseUnavailable(error)
      }
    },
    async end() {
      stopWatching()
      await pool.end()
    },
  }
}
