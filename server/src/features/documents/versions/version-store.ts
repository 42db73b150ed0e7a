import type { Insertable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockRow } from '#db/lock-row.ts'
import type { Database } from '#db/schema.ts'
import { type DocumentDetails, type DocumentRow, findDocument, type VersionRow } from '../store.ts'

/** Selects versions with the names of uploader and reviewer, but without text. */
function selectVersions(db: Executor) {
  return db
    .selectFrom('document_versions as version')
    .leftJoin('users as uploader', 'uploader.id', 'version.uploaded_by')
    .leftJoin('users as reviewer', 'reviewer.id', 'version.reviewed_by')
    .select([
      'version.id',
      'version.number',
      'version.status',
      'version.original_name',
      'version.kind',
      'version.file_key',
      'version.file_size',
      'version.sha256',
      'version.created_at',
      'version.reviewed_at',
      'version.rejection_reason',
      'version.released_at',
      'version.index_state',
      'version.index_percent',
      'version.index_attempts',
      'version.index_reason',
      'version.unread_pages',
      'uploader.id as uploader_id',
      'uploader.name as uploader_name',
      'reviewer.id as reviewer_id',
      'reviewer.name as reviewer_name',
    ])
}

export type VersionDetails = Awaited<ReturnType<ReturnType<typeof selectVersions>['executeTakeFirstOrThrow']>>

export function listVersions(db: Executor, documentId: string): Promise<VersionDetails[]> {
  return selectVersions(db)
    .where('version.document_id', '=', documentId)
    .orderBy('version.number', 'desc')
    .execute()
}

export function findVersion(
  db: Executor,
  documentId: string,
  number: number,
): Promise<VersionDetails | undefined> {
  return selectVersions(db)
    .where('version.document_id', '=', documentId)
    .where('version.number', '=', number)
    .executeTakeFirst()
}

export function findVersionById(db: Executor, id: string): Promise<VersionDetails | undefined> {
  return selectVersions(db).where('version.id', '=', id).executeTakeFirst()
}

export function findNewestVersion(db: Executor, documentId: string): Promise<VersionDetails | undefined> {
  return selectVersions(db)
    .where('version.document_id', '=', documentId)
    .orderBy('version.number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the document to which a version was added with this idempotency key. */
export async function findByVersionIdempotencyKey(
  db: Executor,
  key: string,
): Promise<DocumentDetails | undefined> {
  const version = await db
    .selectFrom('document_versions')
    .select('document_id')
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return version && findDocument(db, version.document_id)
}

/** Locks a document. Returns undefined if its status or current version has changed since it was read. */
export async function lockUnchangedDocument(
  tx: Tx,
  id: string,
  seen: Pick<DocumentRow, 'status' | 'version_id'>,
): Promise<DocumentRow | undefined> {
  const document = await lockRow(tx, 'documents', id)
  return document?.status === seen.status && document.version_id === seen.version_id ? document : undefined
}

/** Locks a document and returns its newest version. Returns undefined if the document no longer exists. */
export async function lockNewestVersion(tx: Tx, id: string): Promise<VersionDetails | undefined> {
  await lockRow(tx, 'documents', id)
  return findNewestVersion(tx, id)
}

type DocumentChanges = Partial<
  Pick<
    DocumentRow,
    'status' | 'version_id' | 'approved_version_id' | 'original_name' | 'reviewed_by' | 'reviewed_at'
  >
>

export async function changeDocument(
  db: Executor,
  id: string,
  changes: DocumentChanges,
  now: number,
): Promise<void> {
  await db
    .updateTable('documents')
    .set({ ...changes, updated_at: now })
    .where('id', '=', id)
    .execute()
}

export async function changeVersion(
  db: Executor,
  id: string,
  changes: Partial<
    Pick<VersionRow, 'status' | 'reviewed_by' | 'reviewed_at' | 'rejection_reason' | 'released_at'>
  >,
): Promise<void> {
  await db.updateTable('document_versions').set(changes).where('id', '=', id).execute()
}

export async function insertVersion(
  db: Executor,
  version: Insertable<Database['document_versions']>,
): Promise<void> {
  await db.insertInto('document_versions').values(version).execute()
}
