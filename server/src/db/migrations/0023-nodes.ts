import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the servers that use the database together. */
export const nodes: Migration = {
  async up(db: Kysely<unknown>) {
    const type = columnTypes(db)
    await db.schema
      .createTable('nodes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('started_at', type.time, (c) => c.notNull())
      .addColumn('seen_at', type.time, (c) => c.notNull())
      .addColumn('lease_until', type.time, (c) => c.notNull())
      .execute()
  },
}
