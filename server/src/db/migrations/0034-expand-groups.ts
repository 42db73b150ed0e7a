import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds groups of users, which give channels to their members and permissions to those who are administrators. */
export const groups: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('user_groups')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull().unique())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('group_members')
      .addColumn('group_id', 'text', (c) => c.notNull().references('user_groups.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('group_members_key', ['group_id', 'user_id', 'source'])
      .execute()
    await schema
      .createIndex('group_members_by_user')
      .on('group_members')
      .columns(['user_id', 'group_id'])
      .execute()
    await schema
      .createTable('group_channels')
      .addColumn('group_id', 'text', (c) => c.notNull().references('user_groups.id').onDelete('cascade'))
      .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('group_channels_key', ['group_id', 'channel_id'])
      .execute()
    await schema
      .createIndex('group_channels_by_channel')
      .on('group_channels')
      .columns(['channel_id', 'group_id'])
      .execute()
    await schema.alterTable('users').addColumn('group_permissions', 'text').execute()
  },
}
