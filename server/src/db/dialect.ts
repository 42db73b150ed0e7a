import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'

/** Where SQLite and PostgreSQL need different words. Branches on the database live in this folder only. */
export interface ColumnTypes {
  /** Milliseconds, and any other number beyond 32 bits. */
  time: 'integer' | 'bigint'
  bytes: 'blob' | 'bytea'
  sequence: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
    column: string,
  ) => CreateTableBuilder<T, C>
  /** Rows lie in the order of the primary key, so that a stretch of it is read as one. */
  inKeyOrder: <T extends string, C extends string>(
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
        // A heap; the index of its key serves.
        inKeyOrder: (table) => table,
      }
    : {
        time: 'integer',
        bytes: 'blob',
        sequence: (table, column) =>
          table.addColumn(column as never, 'integer', (c) => c.primaryKey().autoIncrement()) as typeof table,
        inKeyOrder: (table) => table.modifyEnd(sql`without rowid`),
      }
}

/**
 * Until the transaction ends, nobody else holds this name. SQLite has one writer at a time anyway; PostgreSQL locks
 * the name's hash.
 */
export async function lockName<D>(tx: Transaction<D>, name: string): Promise<void> {
  if (isPostgres(tx as unknown as Kysely<never>))
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** What SQLite finds wrong in its file, in its words; PostgreSQL looks after its own. */
export async function integrityFaults<D>(db: Kysely<D>): Promise<string[]> {
  if (isPostgres(db as unknown as Kysely<never>)) return []
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(20)`.execute(db)
  return rows.map(({ quick_check }) => quick_check).filter((words) => words !== 'ok')
}
