import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from './dialect.ts'

/** A migration, and how it runs while servers use the database. */
export interface Step extends Migration {
  /** Must be safe to run again after it was interrupted. */
  isOutsideTransaction?: true
}

interface NewIndex {
  name: string
  table: string
  columns: readonly string[]
  /** Leaves out the rows in which this column is null, so that they cost nothing and no other query uses the index. */
  withoutNull?: string
}

/**
 * Adds indexes to a table that exists. While servers use PostgreSQL, the indexes are created concurrently, which blocks
 * no writes, waits for running transactions, and is not possible in a transaction.
 */
export function addIndexes(...indexes: readonly NewIndex[]): Step {
  return {
    isOutsideTransaction: true,
    async up(db: Kysely<unknown>) {
      for (const index of indexes)
        if (isPostgres(db) && !db.isTransaction) await createConcurrently(db, index)
        else
          await db.schema
            .createIndex(index.name)
            .on(index.table)
            .columns([...index.columns])
            .$call((builder) =>
              index.withoutNull === undefined
                ? builder
                : builder.where(sql.ref(index.withoutNull), 'is not', null),
            )
            .execute()
    },
  }
}

async function createConcurrently(
  db: Kysely<unknown>,
  { name, table, columns, withoutNull }: NewIndex,
): Promise<void> {
  const index = sql.ref(name)
  await sql`set lock_timeout = 0`.execute(db)
  // An attempt that was interrupted leaves an unusable index.
  await sql`drop index concurrently if exists ${index}`.execute(db)
  const columnList = sql.join(columns.map((column) => sql.ref(column)))
  const condition = withoutNull === undefined ? sql`` : sql` where ${sql.ref(withoutNull)} is not null`
  await sql`create index concurrently ${index} on ${sql.table(table)} (${columnList})${condition}`.execute(db)
  await sql`reset lock_timeout`.execute(db)
}
