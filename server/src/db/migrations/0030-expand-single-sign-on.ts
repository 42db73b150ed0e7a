import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the issuers of single sign-on, who signs in with them, and what their claims gave. */
export const singleSignOn: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('sign_in_issuers')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('identities')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('issuer_id', 'text', (c) => c.notNull().references('sign_in_issuers.id').onDelete('cascade'))
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('last_used_at', type.time)
      .addUniqueConstraint('identities_by_subject', ['issuer_id', 'subject'])
      .execute()
    await schema.createIndex('identities_by_user').on('identities').column('user_id').execute()
    await schema
      .createTable('access_grants')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('access_grants_key', ['user_id', 'target', 'source'])
      .execute()
    await schema
      .createTable('sign_in_transactions')
      .addColumn('state_hash', 'text', (c) => c.primaryKey())
      .addColumn('browser_hash', 'text', (c) => c.notNull())
      .addColumn('issuer_id', 'text', (c) => c.notNull().references('sign_in_issuers.id').onDelete('cascade'))
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('used_logout_tokens')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('expires_at', type.time, (c) => c.notNull())
      .execute()
    for (const table of ['sessions', 'sign_in_challenges']) {
      await schema.alterTable(table).addColumn('identity_id', 'text').execute()
      await schema.alterTable(table).addColumn('issuer_session', 'text').execute()
    }
    await schema
      .alterTable('users')
      .addColumn('is_break_glass', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
