import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds pinned chats, and links to chats for other members of the channel. */
export const chatSharing: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .alterTable('chats')
      .addColumn('is_pinned', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    for (const column of ['share_id', 'share_leaf_id', 'share_title'])
      await schema.alterTable('chats').addColumn(column, 'text').execute()
    await schema.alterTable('chats').addColumn('shared_at', type.time).execute()
    await schema.createIndex('chats_by_share').on('chats').column('share_id').unique().execute()
    // The list of a user's chats in a channel begins with the pinned ones.
    await schema.dropIndex('chats_by_owner').execute()
    await schema
      .createIndex('chats_by_owner')
      .on('chats')
      .columns(['user_id', 'channel_id', 'is_pinned', 'updated_at', 'id'])
      .execute()
  },
}
