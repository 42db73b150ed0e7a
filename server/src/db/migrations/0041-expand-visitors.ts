import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds visitors, who chat on other sites without an account, and how much they ask in a day. */
export const visitors: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    // Without a foreign key: deleting a channel would otherwise delete its visitors in one long statement.
    await schema.alterTable('users').addColumn('visitor_channel_id', 'text').execute()
    await schema
      .createTable('visitor_days')
      .addColumn('channel_id', 'text', (c) => c.notNull())
      .addColumn('visitor_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('arrived', 'integer', (c) => c.notNull())
      .addColumn('asked', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('visitor_days_key', ['channel_id', 'visitor_id', 'day'])
      .execute()
    await schema.createIndex('visitor_days_by_day').on('visitor_days').column('day').execute()
  },
}
