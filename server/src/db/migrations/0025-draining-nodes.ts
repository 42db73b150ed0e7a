import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds whether a server is about to stop, and how far its clock is ahead of that of the database, in milliseconds. */
export const drainingNodes: Migration = {
  async up(db: Kysely<unknown>) {
    const type = columnTypes(db)
    await db.schema
      .alterTable('nodes')
      .addColumn('state', 'text', (c) => c.notNull().defaultTo('running'))
      .execute()
    await db.schema
      .alterTable('nodes')
      .addColumn('clock_difference', type.time, (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
