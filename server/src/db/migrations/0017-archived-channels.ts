import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'

/** Adds when a channel was archived; null for channels in use. */
export const archivedChannels: Migration = {
  async up(db: Kysely<unknown>) {
    const { time } = columnTypes(db)
    await db.schema.alterTable('channels').addColumn('archived_at', time).execute()
  },
}
