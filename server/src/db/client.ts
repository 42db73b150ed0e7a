import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from './schema.ts'
import { nodeSqliteDialect } from './sqlite-driver.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** A query may run inside or outside a transaction. */
export type Executor = Db | Tx

/** Fetched where it is used: most installations have SQLite. */
const loadPg = async (): Promise<typeof pg> => {
  const { default: loaded } = await import('pg')
  // int8 arrives as text by default; our times and counts stay far below 2^53.
  loaded.types.setTypeParser(loaded.types.builtins.INT8, Number)
  return loaded
}

export type DatabaseLocation = { sqlite: string } | { postgres: string; poolSize: number }

const deadlock = '40P01'
const tries = 4

/**
 * Of two transactions that wait for each other PostgreSQL ends one: nothing of it has happened, so it is done again. We
 * lock in one order where we can, but a cascade takes its rows as it finds them.
 */
const againAfterDeadlock = (db: Db): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async (work) => {
      for (let left = tries; ; left -= 1)
        try {
          return await execute(work)
        } catch (error) {
          if (left <= 1 || (error as { code?: string }).code !== deadlock) throw error
        }
    }
    return transaction
  }
  return db
}

export const openDatabase = (location: DatabaseLocation): Db => {
  if ('sqlite' in location) return new Kysely<Database>({ dialect: nodeSqliteDialect(location.sqlite) })
  const pool = async (): Promise<pg.Pool> => {
    const { Pool } = await loadPg()
    const opened = new Pool({
      connectionString: location.postgres,
      max: location.poolSize,
      connectionTimeoutMillis: 2000,
      idleTimeoutMillis: 30_000,
      statement_timeout: 30_000,
      application_name: 'lyceum',
    })
    // Without a listener an idle connection that the server closes would end the process.
    opened.on('error', () => undefined)
    return opened
  }
  return againAfterDeadlock(new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }))
}

/** A connection for long work: none of the limits that guard requests. */
export const connectPostgres = async (url: string): Promise<pg.Client> => {
  const { Client } = await loadPg()
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'lyceum records',
  })
  // A connection that breaks is told by the query that was running.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const gone =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|timeout exceeded when trying to connect|^57P0|^08/

/** The database cannot be reached right now, which says nothing about the request. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return gone.test(code ?? '') || gone.test(message ?? '')
}
