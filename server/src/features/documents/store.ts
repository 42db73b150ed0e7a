import type { DocumentStatus } from '@lyceum/contract/documents'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { namesContain } from '#db/document-search.ts'
import { lockRow } from '#db/lock-row.ts'
import type { Database } from '#db/schema.ts'
import type { ExtractedText, TextBlock } from '#providers/text-extraction/port.ts'

export type DocumentRow = Selectable<Database['documents']>
export type VersionRow = Selectable<Database['document_versions']>

/** Selects documents with their current version and the names of channel, uploader and reviewer, but without text. */
function selectDocuments(db: Executor) {
  return (
    db
      .selectFrom('documents')
      .innerJoin('document_versions as version', 'version.id', 'documents.version_id')
      .innerJoin('channels', 'channels.id', 'documents.channel_id')
      .leftJoin('document_versions as answering', 'answering.id', 'documents.answering_version_id')
      .leftJoin('users as uploader', 'uploader.id', 'version.uploaded_by')
      .leftJoin('users as reviewer', 'reviewer.id', 'documents.reviewed_by')
      .select([
        'documents.id',
        'documents.channel_id',
        'documents.title',
        'documents.description',
        'documents.original_name',
        'documents.status',
        'documents.version_id',
        'documents.approved_version_id',
        'documents.answering_version_id',
        'documents.generation',
        'documents.is_proposal',
        'documents.reviewed_at',
        'documents.created_at',
        'version.number',
        'version.kind',
        'version.file_key',
        'version.file_size',
        'version.index_state',
        'version.index_percent',
        'version.index_attempts',
        'version.index_reason',
        'version.pages',
        'version.unread_pages',
        'version.rejection_reason',
        'answering.number as answering_number',
        'channels.name as channel_name',
        'uploader.id as uploader_id',
        'uploader.name as uploader_name',
        'reviewer.id as reviewer_id',
        'reviewer.name as reviewer_name',
      ])
      // The highest ordinal is a single index lookup; counting the passages would read them all.
      .select((eb) =>
        eb
          .selectFrom('passages')
          .select((passage) => passage.fn.max('passages.ordinal').as('last'))
          .whereRef('passages.generation', '=', 'documents.generation')
          .as('last_passage'),
      )
      .select((eb) =>
        eb
          .selectFrom('document_versions as any_version')
          .select((version) => version.fn.max('any_version.number').as('count'))
          .whereRef('any_version.document_id', '=', 'documents.id')
          .as('version_count'),
      )
  )
}

export type DocumentDetails = Awaited<
  ReturnType<ReturnType<typeof selectDocuments>['executeTakeFirstOrThrow']>
>

export function findDocument(db: Executor, id: string): Promise<DocumentDetails | undefined> {
  return selectDocuments(db).where('documents.id', '=', id).executeTakeFirst()
}

export function findByIdempotencyKey(db: Executor, key: string): Promise<DocumentDetails | undefined> {
  return selectDocuments(db).where('documents.idempotency_key', '=', key).executeTakeFirst()
}

export async function findTitles(db: Executor, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('documents').select(['id', 'title']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export interface DocumentFilter {
  status?: DocumentStatus | undefined
  channelId?: string | undefined
  /** The user who uploaded the first version. */
  uploaderId?: string | undefined
  search?: string | undefined
  /** Only documents whose current version could not be indexed. */
  isFailed?: boolean
  /** Only documents with these active builds; null for any. */
  generations?: readonly string[] | null
}

function matchesFilter(
  db: Executor,
  { status, channelId, uploaderId, search, isFailed, generations }: DocumentFilter,
) {
  const parts = [sql<boolean>`true`]
  if (status) parts.push(sql<boolean>`documents.status = ${status}`)
  if (channelId) parts.push(sql<boolean>`documents.channel_id = ${channelId}`)
  if (uploaderId) parts.push(sql<boolean>`documents.uploaded_by = ${uploaderId}`)
  if (search) parts.push(namesContain(db, search))
  if (generations === null) parts.push(sql<boolean>`documents.generation is not null`)
  else if (generations)
    parts.push(
      generations.length === 0
        ? sql<boolean>`false`
        : sql<boolean>`documents.generation in (${sql.join(generations)})`,
    )
  if (isFailed)
    parts.push(
      sql<boolean>`documents.version_id in (select id from document_versions where index_state = 'failed')`,
    )
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

export function listDocuments(
  db: Executor,
  filter: DocumentFilter & { limit: number; skip: number },
): Promise<DocumentDetails[]> {
  // Select the page's ids first, so that names and versions are not joined for every match of a common word.
  return selectDocuments(db)
    .where('documents.id', 'in', (eb) =>
      eb
        .selectFrom('documents')
        .select('documents.id')
        .where(matchesFilter(db, filter))
        .orderBy('documents.created_at', 'desc')
        .orderBy('documents.id', 'desc')
        .limit(filter.limit)
        .offset(filter.skip),
    )
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.id', 'desc')
    .execute()
}

export async function countDocuments(db: Executor, filter: DocumentFilter): Promise<number> {
  const { documents } = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('documents'))
    .where(matchesFilter(db, filter))
    .executeTakeFirstOrThrow()
  return documents
}

/** Finds a document of the channel whose current, approved or answering version has this content. */
interface SameContent {
  id: string
  /** The name of the current version, which may be another one. */
  original_name: string
  version_name: string
  version_status: 'pending' | 'approved' | 'rejected'
  version_uploader: string | null
}

export function findSameContent(
  db: Executor,
  channelId: string,
  sha256: string,
): Promise<SameContent | undefined> {
  return db
    .selectFrom('document_versions as version')
    .innerJoin('documents', 'documents.id', 'version.document_id')
    .select([
      'documents.id',
      'documents.original_name',
      'version.original_name as version_name',
      'version.status as version_status',
      'version.uploaded_by as version_uploader',
    ])
    .where('version.sha256', '=', sha256)
    .where('documents.channel_id', '=', channelId)
    .where((eb) =>
      eb.or([
        eb('version.id', '=', eb.ref('documents.version_id')),
        eb('version.id', '=', eb.ref('documents.approved_version_id')),
        eb('version.id', '=', eb.ref('documents.answering_version_id')),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
}

export async function insertDocument(
  db: Executor,
  document: Insertable<Database['documents']>,
  version: Insertable<Database['document_versions']>,
): Promise<void> {
  await db.insertInto('documents').values(document).execute()
  await db.insertInto('document_versions').values(version).execute()
}

interface ApprovedVersion {
  versionId: string
  /** When the document changed last. */
  updatedAt: number
}

/** Locks a document and returns its approved version, even if a newer one is pending. Undefined if there is none. */
export async function lockApprovedVersion(tx: Tx, id: string): Promise<ApprovedVersion | undefined> {
  const document = await lockRow(tx, 'documents', id)
  if (document === undefined || document.approved_version_id === null) return undefined
  return { versionId: document.approved_version_id, updatedAt: document.updated_at }
}

export async function touchDocument(db: Executor, id: string, now: number): Promise<void> {
  await db.updateTable('documents').set({ updated_at: now }).where('id', '=', id).execute()
}

export interface IndexChanges {
  index_state: VersionRow['index_state']
  index_percent: number
  index_attempts?: number
  index_reason: string | null
}

export async function setIndexState(db: Executor, versionId: string, changes: IndexChanges): Promise<void> {
  await db.updateTable('document_versions').set(changes).where('id', '=', versionId).execute()
}

/** Updates the progress of a phase. Does nothing once the phase is over. */
export async function setIndexPercent(
  db: Executor,
  versionId: string,
  phase: VersionRow['index_state'],
  percent: number,
): Promise<void> {
  await db
    .updateTable('document_versions')
    .set({ index_percent: percent })
    .where('id', '=', versionId)
    .where('index_state', '=', phase)
    .execute()
}

/** After a superseded build, marks the version as ready if another build of the document is active. */
export async function markReadyIfBuilt(db: Executor, documentId: string, versionId: string): Promise<void> {
  await db
    .updateTable('document_versions')
    .set({ index_state: 'ready', index_percent: 100, index_reason: null })
    .where('id', '=', versionId)
    .where('index_state', 'in', ['extracting', 'embedding'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('documents')
          .select('id')
          .where('id', '=', documentId)
          .where('generation', 'is not', null),
      ),
    )
    .execute()
}

export async function storeText(
  db: Executor,
  versionId: string,
  { text, blocks, pages, unread_pages }: Pick<VersionRow, 'text' | 'blocks' | 'pages' | 'unread_pages'>,
): Promise<void> {
  await db
    .updateTable('document_versions')
    .set({ text, blocks, pages, unread_pages })
    .where('id', '=', versionId)
    .execute()
}

/** Returns the text that was stored during indexing. */
export async function findText(db: Executor, versionId: string): Promise<ExtractedText | null> {
  const stored = await db
    .selectFrom('document_versions')
    .select(['text', 'blocks', 'pages'])
    .where('id', '=', versionId)
    .executeTakeFirst()
  if (stored?.text == null || stored.blocks === null) return null
  return { text: stored.text, blocks: JSON.parse(stored.blocks) as TextBlock[], pages: stored.pages }
}

/** Deletes a document with its versions and passages. Returns its file keys, or null if it is gone. */
export async function deleteDocument(db: Executor, id: string): Promise<string[] | null> {
  const files = await db
    .selectFrom('document_versions')
    .select('file_key')
    .where('document_id', '=', id)
    .execute()
  const { numDeletedRows } = await db.deleteFrom('documents').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n ? files.map(({ file_key }) => file_key) : null
}

/** Schedules the files of a channel's documents for deletion, before the channel is deleted. */
export async function scheduleChannelFileDeletion(
  db: Executor,
  channelId: string,
  now: number,
): Promise<void> {
  await db
    .insertInto('removed_files')
    .columns(['file_key', 'removed_at'])
    .expression((eb) =>
      eb
        .selectFrom('document_versions')
        .innerJoin('documents', 'documents.id', 'document_versions.document_id')
        .select((select) => ['document_versions.file_key', select.val(now).as('removed_at')])
        .where('documents.channel_id', '=', channelId),
    )
    .onConflict((conflict) => conflict.column('file_key').doNothing())
    .execute()
}

export async function clearIdempotencyKeys(db: Executor, before: number): Promise<void> {
  for (const table of ['documents', 'document_versions'] as const)
    await db
      .updateTable(table)
      .set({ idempotency_key: null })
      .where('idempotency_key', 'is not', null)
      .where('created_at', '<=', before)
      .execute()
}

export async function isMember(db: Executor, channelId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('channel_members')
    .select('user_id')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

/** Maps those documents that members may read to the number of their answering version. */
export async function findReadableVersions(
  db: Executor,
  channelId: string,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('documents')
    .leftJoin('document_versions as answering', 'answering.id', 'documents.answering_version_id')
    .select(['documents.id', 'answering.number'])
    .where('documents.id', 'in', ids)
    .where('documents.channel_id', '=', channelId)
    .where('documents.approved_version_id', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, number }) => [id, number]))
}
