import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/**
 * Keeps keys that an administrator revoked, for a while, so that their user learns of it. They have a table of their own,
 * because an earlier version that runs during an upgrade accepts every key of the other one.
 */
export const revokedApiKeys: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('revoked_api_keys')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('channel_ids', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .addColumn('last_used_at', type.time)
      .addColumn('revoked_by', 'text', (c) => c.notNull())
      .addColumn('revoked_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('revoked_api_keys_by_user')
      .on('revoked_api_keys')
      .columns(['user_id', 'revoked_at'])
      .execute()
  },
}
