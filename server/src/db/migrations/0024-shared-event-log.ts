import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes, isPostgres } from '../dialect.ts'

/**
 * Adds the events of running replies, which the servers of a cluster read from each other. A row holds what one server
 * wrote in one batch; the two arrays belong together. Unlogged: the rows live for seconds and may be lost in a crash.
 */
export const sharedEventLog: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return
    await sql`create unlogged table shared_event_log (
      node text not null,
      n bigint not null,
      at ${sql.raw(columnTypes(db).time)} not null,
      message_ids text[] not null,
      frames text[] not null,
      primary key (node, n)
    )`.execute(db)
  },
}
