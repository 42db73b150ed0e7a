import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

const counts = ['checks', 'checked_citations', 'unconfirmed_citations', 'unchecked_citations']

/** Lets a model confirm the citations of a channel, and counts what that takes. */
export const citationCheck: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    await schema
      .alterTable('channels')
      .addColumn('check_citations', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('messages').addColumn('unchecked_citations', 'integer').execute()
    for (const column of counts)
      await schema
        .alterTable('usage_days')
        .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    await schema
      .alterTable('usage_days')
      .addColumn('check_tokens', columnTypes(db).time, (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
