import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import { runCallbacksAfterCommit } from './after-commit.ts'
import type { Database } from './schema.ts'
import { nodeSqliteDialect } from './sqlite-driver.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** Runs a query inside or outside a transaction. */
export type Executor = Db | Tx

/** Loads the driver on first use only: most installations run on SQLite. */
async function loadPg(): Promise<typeof pg> {
  const { default: loaded } = await import('pg')
  // The driver returns int8 as text by default. Our times and counts stay far below 2^53.
  loaded.types.setTypeParser(loaded.types.builtins.INT8, Number)
  return loaded
}

export type DatabaseLocation = { sqlite: string } | { postgres: string; poolSize: number }

const deadlock = '40P01'
const tries = 4

/**
 * Retries a transaction that PostgreSQL ended because of a deadlock. It was rolled back, so running it again is safe.
 * We lock rows in one order where we can, but a cascading delete locks them in any order.
 */
function retryAfterDeadlock(db: Db): Db {
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

export function openDatabase(location: DatabaseLocation): Db {
  return runCallbacksAfterCommit('sqlite' in location ? openSqlite(location.sqlite) : openPostgres(location))
}

function openSqlite(path: string): Db {
  return new Kysely<Database>({ dialect: nodeSqliteDialect(path) })
}

function openPostgres({ postgres, poolSize }: { postgres: string; poolSize: number }): Db {
  async function pool(): Promise<pg.Pool> {
    const { Pool } = await loadPg()
    const opened = new Pool({
      connectionString: postgres,
      max: poolSize,
      connectionTimeoutMillis: 2000,
      idleTimeoutMillis: 30_000,
      statement_timeout: 30_000,
      application_name: 'lyceum',
    })
    // An `error` event without a listener ends the process. The pool listens to idle connections only, so each
    // connection needs a listener of its own for the time it is in use. The query that was running rejects anyway.
    opened.on('error', ignoreError)
    opened.on('connect', (client) => client.on('error', ignoreError))
    return opened
  }
  return retryAfterDeadlock(new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }))
}

function ignoreError(): void {}

/** Opens a connection for long work, without the time limits that apply to requests. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const { Client } = await loadPg()
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'lyceum records',
  })
  // When the connection breaks, the query that was running rejects.
  client.on('error', ignoreError)
  await client.connect()
  return client
}

const unavailablePattern =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection terminated|timeout exceeded when trying to connect|^57P0|^08/

/** Whether the error means that the database cannot be reached right now. The request itself may be fine. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return unavailablePattern.test(code ?? '') || unavailablePattern.test(message ?? '')
}
