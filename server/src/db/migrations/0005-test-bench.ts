import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds the test questions of channels and the results of running them. */
export const testBench: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    await schema
      .createTable('test_questions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
      .addColumn('question', 'text', (c) => c.notNull())
      .addColumn('expected', 'text', (c) => c.notNull())
      .addColumn('created_at', type.time, (c) => c.notNull())
      .addColumn('updated_at', type.time, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('test_questions_by_channel')
      .on('test_questions')
      .columns(['channel_id', 'created_at', 'id'])
      .execute()
    await schema
      .createTable('test_runs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id').onDelete('cascade'))
      .addColumn('ran_at', type.time, (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('total', 'integer', (c) => c.notNull())
      .addColumn('found', 'integer', (c) => c.notNull())
      .addColumn('mean_rank', 'double precision')
      .addColumn('results', 'text', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('test_runs_by_channel')
      .on('test_runs')
      .columns(['channel_id', 'ran_at', 'id'])
      .execute()
    await schema
      .createTable('test_run_leases')
      .addColumn('channel_id', 'text', (c) => c.primaryKey().references('channels.id').onDelete('cascade'))
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('lease_until', type.time, (c) => c.notNull())
      .execute()
  },
}
