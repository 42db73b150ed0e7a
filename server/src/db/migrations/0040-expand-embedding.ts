import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the sites on which channels can be used, and sign-ins there. */
export const embedding: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('channel_embeddings')
      .addColumn('channel_id', 'text', (c) => c.primaryKey().references('channels.id').onDelete('cascade'))
      .addColumn('sites', 'text', (c) => c.notNull())
      .addColumn('allows_visitors', 'integer', (c) => c.notNull())
      .addColumn('visitor_messages_per_day', 'integer', (c) => c.notNull())
      .addColumn('channel_visitor_messages_per_day', 'integer', (c) => c.notNull())
      .execute()
    await schema
      .createTable('embedded_sign_ins')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
      .addColumn('site', 'text', (c) => c.notNull())
      .addColumn('identity_id', 'text')
      .addColumn('issuer_session', 'text')
      .addColumn('ip', 'text', (c) => c.notNull())
      .addColumn('user_agent', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('last_seen_at', type.time, (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('embedded_sign_ins_by_user')
      .on('embedded_sign_ins')
      .columns(['user_id', 'created_at'])
      .execute()
    await schema
      .createIndex('embedded_sign_ins_by_channel')
      .on('embedded_sign_ins')
      .column('channel_id')
      .execute()
  },
}
