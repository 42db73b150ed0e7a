import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the pages that the extraction left out, as a JSON list; null if it read all. */
export const unreadPages: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('document_versions').addColumn('unread_pages', 'text').execute()
  },
}
