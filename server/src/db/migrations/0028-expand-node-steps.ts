import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the newest migration that a server knows, which decides what may be removed while it runs. */
export const nodeSteps: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('nodes').addColumn('newest_step', 'text').execute()
  },
}
