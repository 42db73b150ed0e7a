import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the questions that an empty chat of a channel offers; null if none are set. */
export const starterQuestions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('channels').addColumn('starter_questions', 'text').execute()
  },
}
