import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type ColumnTypes, columnTypes } from '../dialect.ts'

type Schema = Kysely<unknown>['schema']

async function users(schema: Schema, type: ColumnTypes): Promise<void> {
  await schema
    .alterTable('users')
    .addColumn('two_factor_epoch', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('users')
    .addColumn('must_verify', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('users').addColumn('last_seen_at', type.time).execute()
  await schema.alterTable('users').addColumn('deleted_at', type.time).execute()
  await schema.createIndex('users_by_name').on('users').columns(['name', 'id']).execute()
  await schema.createIndex('users_by_role').on('users').columns(['role', 'is_system_admin']).execute()
  await schema
    .alterTable('sessions')
    .addColumn('method', 'text', (c) => c.notNull().defaultTo('password'))
    .execute()
  await schema.alterTable('sessions').addColumn('browser_id', 'text').execute()
  await schema.alterTable('invitations').addColumn('idempotency_key', 'text').execute()
  await schema
    .createIndex('invitations_by_key')
    .unique()
    .on('invitations')
    .column('idempotency_key')
    .execute()
  await schema
    .createIndex('invitations_by_creation')
    .on('invitations')
    .columns(['created_at', 'id'])
    .execute()
}

async function browsers(schema: Schema, type: ColumnTypes): Promise<void> {
  await schema
    .createTable('trusted_browsers')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('created_at', type.time, (c) => c.notNull())
    .addColumn('last_used_at', type.time, (c) => c.notNull())
    .execute()
  await schema.createIndex('trusted_browsers_by_user').on('trusted_browsers').column('user_id').execute()
  await schema
    .createTable('known_browsers')
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', type.time, (c) => c.notNull())
    .addColumn('last_used_at', type.time, (c) => c.notNull())
    .addPrimaryKeyConstraint('known_browsers_key', ['token_hash', 'user_id'])
    .execute()
  await schema.createIndex('known_browsers_by_user').on('known_browsers').column('user_id').execute()
  await schema.createIndex('known_browsers_by_use').on('known_browsers').column('last_used_at').execute()
}

async function links(schema: Schema, type: ColumnTypes): Promise<void> {
  await schema
    .createTable('sign_in_challenges')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('sent_at', type.time, (c) => c.notNull())
    .addColumn('expires_at', type.time, (c) => c.notNull())
    .execute()
  await schema.createIndex('sign_in_challenges_by_user').on('sign_in_challenges').column('user_id').execute()
  await schema
    .createIndex('sign_in_challenges_by_expiry')
    .on('sign_in_challenges')
    .column('expires_at')
    .execute()
  await schema
    .createTable('password_resets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', type.time, (c) => c.notNull())
    .addColumn('expires_at', type.time, (c) => c.notNull())
    .addColumn('used_at', type.time)
    .execute()
  await schema.createIndex('password_resets_by_user').on('password_resets').column('user_id').execute()
  await schema
    .createTable('attempts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('at', type.time, (c) => c.notNull())
    .execute()
  await schema.createIndex('attempts_by_key').on('attempts').columns(['key', 'at']).execute()
  await schema.createIndex('attempts_by_time').on('attempts').column('at').execute()
}

/** Adds two-factor authentication, password reset links, and trusted and known browsers. */
export const people: Migration = {
  async up(db: Kysely<unknown>) {
    const type = columnTypes(db)
    await users(db.schema, type)
    await browsers(db.schema, type)
    await links(db.schema, type)
  },
}
