import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** For how many days a channel keeps its chats; null follows what holds everywhere. */
export const retention: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('channels').addColumn('retention_days', 'integer').execute()
  },
}
