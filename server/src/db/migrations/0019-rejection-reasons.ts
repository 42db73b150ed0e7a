import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds why a version was rejected; null without a reason. */
export const rejectionReasons: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('document_versions').addColumn('rejection_reason', 'text').execute()
  },
}
