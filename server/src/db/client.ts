import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import type pg from 'pg'
import { isDiskFull } from '#lib/disk-full.ts'
import { runCallbacksAfterCommit } from './after-commit.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import type { Database } from './schema.ts'
import { nodeSqliteDialect } from './sqlite-driver.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** Runs a query inside or outside a transaction. */
export type Executor = Db | Tx

export type DatabaseLocation =
  /** `makeRoom` is called when the disk is full. It returns whether to try the write again. */
  | { sqlite: string; makeRoom?: () => boolean }
  /**
   * `hasTimeLimit` is false for long statements, such as those of an upgrade. `lockTimeout` is how long a statement may wait
   * for a lock, in milliseconds.
   */
  | { postgres: string; poolSize: number; hasTimeLimit?: boolean; lockTimeout?: number }

type SqliteLocation = Extract<DatabaseLocation, { sqlite: string }>
type PostgresLocation = Extract<DatabaseLocation, { postgres: string }>

const statementTimeout = 30_000
const deadlock = '40P01'
const tries = 4

/** Retries a transaction that failed for a reason that has passed. It was rolled back, so running it again is safe. */
function retryTransactions(db: Db, isRetryable: (error: unknown) => boolean): Db {
  const begin = db.transaction.bind(db)
  db.transaction = () => {
    const transaction = begin()
    const execute = transaction.execute.bind(transaction)
    transaction.execute = async (work) => {
      for (let left = tries; ; left -= 1)
        try {
          return await execute(work)
        } catch (error) {
          if (left <= 1 || !isRetryable(error)) throw error
        }
    }
    return transaction
  }
  return db
}

export function openDatabase(location: DatabaseLocation): Db {
  return runCallbacksAfterCommit('sqlite' in location ? openSqlite(location) : openPostgres(location))
}

function openSqlite({ sqlite: path, makeRoom = () => false }: SqliteLocation): Db {
  const db = new Kysely<Database>({ dialect: nodeSqliteDialect(path, makeRoom) })
  return retryTransactions(db, (error) => isDiskFull(error) && makeRoom())
}

/** We lock rows in one order where we can, but a cascading delete locks them in any order. */
function isDeadlock(error: unknown): boolean {
  return (error as { code?: string }).code === deadlock
}

// The driver is loaded on first use only: most installations run on SQLite.
function openPostgres({ postgres: url, poolSize, hasTimeLimit = true, lockTimeout }: PostgresLocation): Db {
  async function pool(): Promise<PostgresPool> {
    const { createPool } = await import('./postgres-pool.ts')
    const limit = hasTimeLimit ? statementTimeout : null
    return createPool({ url, size: poolSize, statementTimeout: limit, lockTimeout })
  }
  return retryTransactions(new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), isDeadlock)
}

/** Opens a connection for long work, without the time limits that apply to requests. */
export async function connectPostgres(url: string, config?: pg.ClientConfig): Promise<PostgresConnection> {
  const { connect } = await import('./postgres-connection.ts')
  return connect(url, config)
}
