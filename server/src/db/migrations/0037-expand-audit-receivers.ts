import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the servers that get a copy of the audit log, with how far each has got. */
export const auditReceivers: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('audit_receivers')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('sent_seq', type.time, (c) => c.notNull())
      .addColumn('sent_at', type.time)
      .addColumn('failing_since', type.time)
      .addColumn('last_error', 'text')
      .addColumn('failures', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('retry_at', type.time, (c) => c.notNull().defaultTo(0))
      .addColumn('created_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createTable('audit_receiver_leases')
      .addColumn('receiver_id', 'text', (c) =>
        c.primaryKey().references('audit_receivers.id').onDelete('cascade'),
      )
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('lease_until', type.time, (c) => c.notNull())
      .execute()
  },
}
