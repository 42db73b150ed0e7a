import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { keepAuditLog } from '../audit-guard.ts'
import { columnTypes } from '../dialect.ts'

/** What was done, by whom and when. No column refers to another table: an entry outlives what it tells of. */
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
    // Each ends with time and number, in which the log is read: no filter has to sort.
    const indexes = {
      at: [],
      actor: ['actor_id'],
      actor_area: ['actor_id', 'area'],
      area: ['area'],
      action: ['action'],
      object: ['object_id'],
    }
    for (const [name, columns] of Object.entries(indexes))
      await schema
        .createIndex(`audit_log_by_${name}`)
        .on('audit_log')
        .columns([...columns, 'at', 'seq'])
        .execute()
    // Nearly all went well; what did not is found without reading the rest.
    const refused = { result: 'result', result_area: 'result, area', result_actor: 'result, actor_id' }
    for (const [name, columns] of Object.entries(refused))
      await sql
        .raw(`create index audit_log_by_${name} on audit_log (${columns}, at, seq) where result <> 'ok'`)
        .execute(db)
    await keepAuditLog(db)
  },
}
