import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the role that the invited user gets. */
export const invitationRole: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('invitations')
      .addColumn('role', 'text', (c) => c.notNull().defaultTo('user'))
      .execute()
  },
}
