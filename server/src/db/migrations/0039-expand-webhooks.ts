import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds webhooks and what has been and will be sent to them. */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('events', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('failing_since', type.time)
      .addColumn('paused_until', type.time, (c) => c.notNull().defaultTo(0))
      .addColumn('created_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('last_error', 'text')
      .addColumn('created_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('webhook_deliveries_by_webhook')
      .on('webhook_deliveries')
      .columns(['webhook_id', 'created_at', 'id'])
      .execute()
    await schema
      .createIndex('webhook_deliveries_by_time')
      .on('webhook_deliveries')
      .column('created_at')
      .execute()
  },
}
