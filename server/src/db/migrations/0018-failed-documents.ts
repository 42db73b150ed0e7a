import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lets the overview count documents that could not be indexed without reading the others. */
export const failedDocuments: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index failed_versions on document_versions (id) where index_state = 'failed'`.execute(db)
  },
}
