import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds our own ready-made assistants, and the thread of a chat at an external assistants endpoint. */
export const assistants: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('assistant_presets')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('assistant_id', 'text', (c) => c.notNull().unique())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('instructions', 'text', (c) => c.notNull())
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('options', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('updated_at', type.time, (c) => c.notNull())
      .execute()
    await schema.createIndex('channels_by_assistant').on('channels').column('assistant_id').execute()
    for (const column of ['thread_id', 'thread_assistant_id', 'thread_leaf_id'])
      await schema.alterTable('chats').addColumn(column, 'text').execute()
  },
}
