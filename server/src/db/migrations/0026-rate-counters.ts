import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, isPostgres } from '../dialect.ts'

/** Adds what the servers of a cluster count together for rate limits. */
export const rateCounters: Migration = {
  async up(db: Kysely<unknown>) {
    const type = columnTypes(db)
    const table = db.schema.createTable('rate_counters')
    // Without a log of changes, writing costs little. A crash of the database empties the table.
    await (isPostgres(db) ? table.modifyFront(sql`unlogged`) : table)
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('count', type.time, (c) => c.notNull())
      .addColumn('ends_at', type.time, (c) => c.notNull())
      .execute()
    await db.schema.createIndex('rate_counters_ends_at').on('rate_counters').column('ends_at').execute()
  },
}
