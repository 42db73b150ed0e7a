import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds users' ratings of replies. */
export const feedback: Migration = {
  async up(db: Kysely<unknown>) {
    const type = columnTypes(db)
    await db.schema
      .createTable('message_feedback')
      .addColumn('message_id', 'text', (c) => c.primaryKey().references('messages.id').onDelete('cascade'))
      .addColumn('rating', 'text', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('comment', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('updated_at', type.time, (c) => c.notNull())
      .execute()
  },
}
