import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the keys with which programs act as a user. */
export const apiKeys: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('api_keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('key_hash', 'text', (c) => c.notNull().unique())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('channel_ids', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .addColumn('last_used_at', type.time)
      .execute()
    await schema.createIndex('api_keys_by_user').on('api_keys').columns(['user_id', 'id']).execute()
  },
}
