import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the programs that act as a user with tokens of OAuth. */
export const connectedPrograms: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('oauth_clients')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('redirect_uris', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('last_used_at', type.time)
      .execute()
    await schema
      .createTable('oauth_codes')
      .addColumn('code_hash', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('client_id', 'text', (c) => c.notNull().references('oauth_clients.id').onDelete('cascade'))
      .addColumn('destination', 'text', (c) => c.notNull())
      .addColumn('redirect_uri', 'text', (c) => c.notNull())
      .addColumn('challenge', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('channel_ids', 'text')
      .addColumn('program_id', 'text', (c) => c.notNull())
      .addColumn('program_expires_at', type.time, (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .addColumn('used_at', type.time)
      .execute()
    await schema.createIndex('oauth_codes_by_user').on('oauth_codes').column('user_id').execute()
    await schema.createIndex('oauth_codes_by_client').on('oauth_codes').column('client_id').execute()
    await schema
      .createTable('connected_programs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('client_id', 'text', (c) => c.notNull().references('oauth_clients.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('destination', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('channel_ids', 'text')
      .addColumn('family_hash', 'text', (c) => c.notNull().unique())
      .addColumn('refresh_hash', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .addColumn('last_used_at', type.time)
      .execute()
    await schema
      .createIndex('connected_programs_by_user')
      .on('connected_programs')
      .columns(['user_id', 'id'])
      .execute()
    await schema
      .createIndex('connected_programs_by_client')
      .on('connected_programs')
      .column('client_id')
      .execute()
    await schema
      .createTable('oauth_access_tokens')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('program_id', 'text', (c) =>
        c.notNull().references('connected_programs.id').onDelete('cascade'),
      )
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('oauth_access_tokens_by_program')
      .on('oauth_access_tokens')
      .column('program_id')
      .execute()
  },
}
