import {
  type CreateTableBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely'
import type { Executor } from './client.ts'
import type { Database } from './schema.ts'

/**
 * Column types that differ between SQLite and PostgreSQL. Only this folder contains code that is specific to one
 * database.
 */
export interface ColumnTypes {
  /** For milliseconds and other numbers beyond 32 bits. */
  time: 'integer' | 'bigint'
  bytes: 'blob' | 'bytea'
  sequence: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
    column: string,
  ) => CreateTableBuilder<T, C>
  /** Stores rows in the order of the primary key, so that a range of keys is read sequentially. */
  clusteredByKey: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ) => CreateTableBuilder<T, C>
}

export function isPostgres(db: Kysely<never> | Kysely<unknown>): boolean {
  return (db as Kysely<unknown>).getExecutor().adapter instanceof PostgresAdapter
}

export function columnTypes(db: Kysely<unknown>): ColumnTypes {
  return isPostgres(db)
    ? {
        time: 'bigint',
        bytes: 'bytea',
        sequence: (table, column) =>
          table.addColumn(column as never, 'bigserial', (c) => c.primaryKey()) as typeof table,
        // PostgreSQL stores rows in a heap; the index of the primary key is fast enough.
        clusteredByKey: (table) => table,
      }
    : {
        time: 'integer',
        bytes: 'blob',
        sequence: (table, column) =>
          table.addColumn(column as never, 'integer', (c) => c.primaryKey().autoIncrement()) as typeof table,
        clusteredByKey: (table) => table.modifyEnd(sql`without rowid`),
      }
}

/**
 * Holds a lock with this name until the transaction ends. SQLite needs none, as it has one writer at a time.
 * PostgreSQL locks the hash of the name.
 */
export async function lockName<D>(tx: Transaction<D>, name: string): Promise<void> {
  if (isPostgres(tx as unknown as Kysely<never>))
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/**
 * The time of the database in milliseconds since 1970. All servers compare leases with it, because their own clocks may
 * differ. It is the time at which the statement began: PostgreSQL cannot use an index with a time that changes within
 * the statement. SQLite has only one process, whose time is `now`.
 */
export function databaseNow(db: Executor, now: number): RawBuilder<number> {
  return isPostgres(db as never)
    ? sql`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql`${now}`
}

/**
 * Locks the selected rows for the statement, passing over those that another process has locked, so that several
 * processes take different rows at the same time. SQLite needs no lock, as it has one writer at a time.
 */
export function takeUnlocked<T extends keyof Database, O>(
  db: Executor,
  rows: SelectQueryBuilder<Database, T, O>,
): SelectQueryBuilder<Database, T, O> {
  return isPostgres(db as never) ? rows.forUpdate().skipLocked() : rows
}

/**
 * For the RETURNING clause of a statement: PostgreSQL sends the text to the sessions that listen on the channel, once
 * the transaction has committed. On SQLite it does nothing.
 */
export function notifying(db: Executor, channel: string, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return isPostgres(db as never) ? sql`pg_notify(${channel}, ${text})` : sql`null`
}

/** Damage that SQLite reports in its file. PostgreSQL has checksums and tools of its own for this. */
export async function integrityFaults<D>(db: Kysely<D>): Promise<string[]> {
  if (isPostgres(db as unknown as Kysely<never>)) return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(20)`.execute(db)
  return rows.map(({ quick_check }) => quick_check).filter((result) => result !== 'ok')
}
