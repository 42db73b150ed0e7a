import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../dialect.ts'
import { addDocumentSearch } from '../document-search.ts'

/** Adds each version's uploader and review, and records which version is used in answers while a newer one waits. */
async function addVersionColumns(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const type = columnTypes(db)
  function alterVersions() {
    return schema.alterTable('document_versions')
  }
  await alterVersions()
    .addColumn('status', 'text', (c) => c.notNull().defaultTo('pending'))
    .execute()
  await alterVersions()
    .addColumn('original_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  for (const column of ['uploaded_by', 'reviewed_by'])
    await alterVersions()
      .addColumn(column, 'text', (c) => c.references('users.id').onDelete('set null'))
      .execute()
  for (const time of ['reviewed_at', 'released_at'])
    await alterVersions().addColumn(time, type.time).execute()
  await alterVersions().addColumn('idempotency_key', 'text').execute()
  await schema
    .createIndex('document_versions_by_key')
    .unique()
    .on('document_versions')
    .column('idempotency_key')
    .execute()
  for (const version of ['approved_version_id', 'answering_version_id'])
    await schema.alterTable('documents').addColumn(version, 'text').execute()
  const copied = ['status', 'original_name', 'uploaded_by', 'reviewed_by', 'reviewed_at']
  const columns = copied.map(
    (name) => sql`${sql.ref(name)} = (select ${sql.ref(name)} from documents where id = document_id)`,
  )
  await sql`update document_versions set ${sql.join(columns)}`.execute(db)
  await sql`update documents set approved_version_id = version_id where status = 'approved'`.execute(db)
  await sql`update documents set answering_version_id = version_id where generation is not null`.execute(db)
}

async function addProposalColumns({ schema }: Kysely<unknown>): Promise<void> {
  const flag = 'integer'
  await schema
    .alterTable('channels')
    .addColumn('allow_proposals', flag, (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('documents')
    .addColumn('is_proposal', flag, (c) => c.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('documents_by_uploader')
    .on('documents')
    .columns(['uploaded_by', 'channel_id', 'created_at'])
    .execute()
}

/** Adds versions of documents, proposals by members, and a search index over document names. */
export const documentVersions: Migration = {
  async up(db) {
    await addVersionColumns(db)
    await addProposalColumns(db)
    await addDocumentSearch(db)
  },
}
