import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the retention period of a channel in days; null applies the global setting. */
export const retention: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('channels').addColumn('retention_days', 'integer').execute()
  },
}
