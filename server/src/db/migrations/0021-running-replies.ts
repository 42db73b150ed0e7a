import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds who asked for a reply, so that the running replies of a user are found without reading those of others. */
export const runningReplies: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    await schema.alterTable('messages').addColumn('asked_by', 'text').execute()
    await schema
      .createIndex('messages_running_by_user')
      .on('messages')
      .column('asked_by')
      .where('lease_until' as never, 'is not', null)
      .execute()
  },
}
