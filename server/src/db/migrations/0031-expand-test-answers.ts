import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lets a test question say what its answer must and must not contain, or that no document answers it. */
export const testAnswers: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    for (const list of ['must_contain', 'must_not_contain'])
      await schema
        .alterTable('test_questions')
        .addColumn(list, 'text', (c) => c.notNull().defaultTo('[]'))
        .execute()
    await schema
      .alterTable('test_questions')
      .addColumn('is_unanswerable', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('channels').addColumn('min_match', 'double precision').execute()
  },
}
