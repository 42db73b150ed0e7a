import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds deactivated users, and the directories that create and deactivate users. */
export const directories: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema.alterTable('users').addColumn('deactivated_at', type.time).execute()
    await schema
      .createTable('directories')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('directory_keys')
      .addColumn('directory_id', 'text', (c) =>
        c.primaryKey().references('directories.id').onDelete('cascade'),
      )
      .addColumn('key_hash', 'text', (c) => c.notNull().unique())
      .addColumn('prefix', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('last_used_at', type.time)
      .execute()
    await schema
      .createTable('directory_users')
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('directory_id', 'text', (c) => c.notNull().references('directories.id').onDelete('cascade'))
      .addColumn('user_name', 'text', (c) => c.notNull())
      .addColumn('user_name_key', 'text', (c) => c.notNull())
      .addColumn('external_id', 'text')
      .addColumn('display_name', 'text')
      .addColumn('formatted_name', 'text')
      .addColumn('given_name', 'text')
      .addColumn('family_name', 'text')
      .addColumn('email_type', 'text')
      .addColumn('is_email_primary', 'integer')
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('updated_at', type.time, (c) => c.notNull())
      .addUniqueConstraint('directory_users_user_name', ['directory_id', 'user_name_key'])
      .execute()
    await schema
      .createTable('directory_groups')
      .addColumn('group_id', 'text', (c) => c.primaryKey().references('user_groups.id').onDelete('cascade'))
      .addColumn('directory_id', 'text', (c) => c.notNull().references('directories.id').onDelete('cascade'))
      .addColumn('external_id', 'text')
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('updated_at', type.time, (c) => c.notNull())
      .execute()
    for (const [table, id] of [
      ['directory_users', 'user_id'],
      ['directory_groups', 'group_id'],
    ] as const) {
      await schema.createIndex(`${table}_by_directory`).on(table).columns(['directory_id', id]).execute()
      await schema
        .createIndex(`${table}_by_external_id`)
        .on(table)
        .columns(['directory_id', 'external_id'])
        .execute()
    }
  },
}
