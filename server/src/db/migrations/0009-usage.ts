import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

const counts = ['people', 'messages', 'asked', 'replies', 'refusals', 'failures', 'quoted', 'good', 'bad']
const waits = Array.from({ length: 12 }, (_, at) => `wait_${at}`)
const tokens = ['input_tokens', 'output_tokens']

/** Adds daily usage counts, unanswered questions, and quotas. */
export const usage: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    const type = columnTypes(db)
    let days = schema
      .createTable('usage_days')
      .addColumn('channel_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('model', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_days_key', ['channel_id', 'day', 'model'])
    for (const column of [...counts, ...waits])
      days = days.addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
    for (const column of tokens) days = days.addColumn(column, type.time, (c) => c.notNull().defaultTo(0))
    await type.clusteredByKey(days).execute()
    const people = schema
      .createTable('usage_people')
      .addColumn('channel_id', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('asked', 'integer', (c) => c.notNull())
      .addColumn('tokens', type.time, (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_people_key', ['channel_id', 'user_id', 'day'])
    await type.clusteredByKey(people).execute()
    const citations = schema
      .createTable('citation_days')
      .addColumn('channel_id', 'text', (c) => c.notNull())
      .addColumn('document_id', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('citations', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('citation_days_key', ['channel_id', 'document_id', 'day'])
    await type.clusteredByKey(citations).execute()
    await schema
      .createTable('unanswered_questions')
      .addColumn('message_id', 'text', (c) => c.primaryKey().references('messages.id').onDelete('cascade'))
      .addColumn('channel_id', 'text', (c) => c.notNull())
      .addColumn('asked_at', type.time, (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('resolved_at', type.time)
      .addColumn('resolved_by', 'text', (c) => c.references('users.id').onDelete('set null'))
      .execute()
    // The indexes follow the order of the list and separate open from resolved questions, so that neither a page nor
    // its count reads rows of the other kind.
    const kinds = { open: 'resolved_at is null', resolved: 'resolved_at is not null' }
    for (const [kind, which] of Object.entries(kinds))
      for (const [name, columns] of [
        ['time', 'asked_at, message_id, resolved_at'],
        ['channel', 'channel_id, asked_at, message_id, resolved_at'],
      ])
        await sql
          .raw(
            `create index ${kind}_questions_by_${name} on unanswered_questions (${columns}) where ${which}`,
          )
          .execute(db)
    await schema
      .createIndex('unanswered_by_resolver')
      .on('unanswered_questions')
      .column('resolved_by')
      .execute()
    await schema
      .createTable('quotas')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('channel_id', 'text', (c) => c.references('channels.id').onDelete('cascade'))
      .addColumn('messages_per_day', type.time)
      .addColumn('tokens_per_month', type.time)
      .addColumn('updated_at', type.time, (c) => c.notNull())
      .execute()
    for (const owner of ['user_id', 'channel_id'])
      await schema.createIndex(`quotas_by_${owner}`).on('quotas').column(owner).execute()
  },
}
