import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { protectAuditLog } from '../audit-guard.ts'
import { columnTypes } from '../dialect.ts'

/** Adds the audit log. No column references another table, because an entry outlives its user and its object. */
export const auditLog: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await type
      .sequence(schema.createTable('audit_log'), 'seq')
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('at', type.time, (c) => c.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text')
      .addColumn('actor_email', 'text')
      .addColumn('session_id', 'text')
      .addColumn('ip', 'text', (c) => c.notNull())
      .addColumn('user_agent', 'text', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('area', 'text', (c) => c.notNull())
      .addColumn('object_type', 'text')
      .addColumn('object_id', 'text')
      .addColumn('object_name', 'text')
      .addColumn('result', 'text', (c) => c.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .addColumn('previous_hash', 'text', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .execute()
    // Each index ends with result, time and number, so that any filter reads one index range in the order of the log.
    const filters = {
      at: [],
      actor: ['actor_id'],
      actor_area: ['actor_id', 'area'],
      actor_action: ['actor_id', 'action'],
      area: ['area'],
      action: ['action'],
      object: ['object_id'],
      object_area: ['object_id', 'area'],
      object_action: ['object_id', 'action'],
      object_actor: ['object_id', 'actor_id'],
      object_actor_area: ['object_id', 'actor_id', 'area'],
      object_actor_action: ['object_id', 'actor_id', 'action'],
    }
    for (const [name, columns] of Object.entries(filters))
      await schema
        .createIndex(`audit_log_by_${name}`)
        .on('audit_log')
        .columns([...columns, 'result', 'at', 'seq'])
        .execute()
    await protectAuditLog(db)
  },
}
