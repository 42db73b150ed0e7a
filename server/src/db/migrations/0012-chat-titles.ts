import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds where an automatic title comes from; null for titles that users chose, so all earlier titles count as chosen. */
export const chatTitles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('chats').addColumn('title_source', 'text').execute()
  },
}
