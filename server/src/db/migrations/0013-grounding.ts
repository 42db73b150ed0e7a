import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds to replies whether the channel had documents, and how many citations were removed; null if unknown. */
export const grounding: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['has_documents', 'removed_citations'])
      await db.schema.alterTable('messages').addColumn(column, 'integer').execute()
  },
}
