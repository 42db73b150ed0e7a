import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockRow } from '#db/lock-row.ts'
import type { Database } from '#db/schema.ts'
import type { IndexedPassage } from '#providers/passage-index/port.ts'
import { keywordsOnlyBeginning } from './index-reasons.ts'

export type PassageRow = Selectable<Database['passages']>

export interface Build {
  documentId: string
  versionId: string
  generation: string
}

/**
 * Locks the document. Returns undefined unless the build's version is still the approved one, so that no
 * batch is written for a deleted document and two builds cannot switch at the same time.
 */
export async function lockBuild(
  tx: Tx,
  { documentId, versionId }: Build,
): Promise<{ generation: string | null } | undefined> {
  const document = await lockRow(tx, 'documents', documentId)
  return document?.approved_version_id === versionId ? document : undefined
}

export interface BuildSource {
  title: string
  channel_id: string
  kind: Selectable<Database['document_versions']>['kind']
  file_key: string
  number: number
}

export function findBuildSource(
  db: Executor,
  { documentId, versionId }: Build,
): Promise<BuildSource | undefined> {
  return db
    .selectFrom('documents')
    .innerJoin('document_versions as version', 'version.id', 'documents.approved_version_id')
    .select(['documents.title', 'documents.channel_id', 'version.kind', 'version.file_key', 'version.number'])
    .where('documents.id', '=', documentId)
    .where('version.id', '=', versionId)
    .executeTakeFirst()
}

/** The document of a build, if the build is the active one. */
export function findActiveBuild(
  db: Executor,
  { documentId, generation }: Pick<Build, 'documentId' | 'generation'>,
): Promise<{ title: string; channel_id: string } | undefined> {
  return db
    .selectFrom('documents')
    .select(['title', 'channel_id'])
    .where('id', '=', documentId)
    .where('generation', '=', generation)
    .executeTakeFirst()
}

/** Sets what limits the search in an active build. */
export async function setIndexReason(db: Executor, build: Build, reason: string | null): Promise<void> {
  await db
    .updateTable('document_versions')
    .set({ index_reason: reason })
    .where('id', '=', build.versionId)
    .where('index_state', '=', 'ready')
    .where((eb) =>
      eb.exists(eb.selectFrom('documents').select('id').where('generation', '=', build.generation)),
    )
    .execute()
}

export async function insertPassages(
  db: Executor,
  rows: readonly Insertable<Database['passages']>[],
): Promise<void> {
  await db.insertInto('passages').values(rows).execute()
}

export async function countPassages(db: Executor, generation: string): Promise<number> {
  const { passages } = await db
    .selectFrom('passages')
    .select((eb) => eb.fn.countAll<number>().as('passages'))
    .where('generation', '=', generation)
    .executeTakeFirstOrThrow()
  return passages
}

export function listPassages(
  db: Executor,
  generation: string,
  from: number,
  limit: number,
): Promise<PassageRow[]> {
  return db
    .selectFrom('passages')
    .selectAll()
    .where('generation', '=', generation)
    .where('ordinal', '>=', from)
    .orderBy('ordinal')
    .limit(limit)
    .execute()
}

/** A passage as the index knows it. */
export function readPassage({ id, text, heading_path }: PassageRow, title: string): IndexedPassage {
  return { id, title, headingPath: JSON.parse(heading_path) as string[], text }
}

/** Returns the number of deleted passages. */
export async function deletePassages(db: Executor, generation: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('passages')
    .where('generation', '=', generation)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the passages of all other builds of the document. Returns their generations. */
export async function deleteOtherPassages(
  db: Executor,
  documentId: string,
  generation: string,
): Promise<string[]> {
  const others = await db
    .selectFrom('passages')
    .select('generation')
    .distinct()
    .where('document_id', '=', documentId)
    .where('generation', '<>', generation)
    .execute()
  const generations = others.map((row) => row.generation)
  if (generations.length > 0) await db.deleteFrom('passages').where('generation', 'in', generations).execute()
  return generations
}

export async function activateBuild(
  db: Executor,
  { documentId, versionId, generation }: Build,
  now: number,
): Promise<void> {
  await db
    .updateTable('documents')
    .set({ generation, answering_version_id: versionId, updated_at: now })
    .where('id', '=', documentId)
    .execute()
}

export async function findGenerations(db: Executor, documentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('passages')
    .select('generation')
    .distinct()
    .where('document_id', '=', documentId)
    .execute()
  return rows.map(({ generation }) => generation)
}

/** The active generation of each document in a channel. Only approved versions are ever built. */
export async function findActiveGenerationIds(db: Executor, channelId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select((eb) => eb.ref('generation').$notNull().as('generation'))
    .where('channel_id', '=', channelId)
    .where('generation', 'is not', null)
    .execute()
  return rows.map(({ generation }) => generation)
}

export async function hasActiveGeneration(db: Executor, channelId: string): Promise<boolean> {
  const found = await db
    .selectFrom('documents')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('generation', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How many of the newest approved documents are read to find indexed ones. Keeps the query short in any channel. */
const newestRead = 50

/** The newest approved documents of a channel with an active generation. */
export async function findNewestGenerations(
  db: Executor,
  channelId: string,
  limit: number,
): Promise<{ title: string; generation: string }[]> {
  const rows = await db
    .selectFrom('documents')
    .select(['title', 'generation'])
    .where('channel_id', '=', channelId)
    .where('status', '=', 'approved')
    .orderBy('created_at', 'desc')
    .limit(newestRead)
    .execute()
  return rows
    .flatMap(({ title, generation }) => (generation === null ? [] : { title, generation }))
    .slice(0, limit)
}

/** The heading paths of the first passages of each generation, in order. */
export function findHeadingPaths(
  db: Executor,
  generations: readonly string[],
  passages: number,
): Promise<{ generation: string; heading_path: string }[]> {
  return generations.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('passages')
        .select(['generation', 'heading_path'])
        .where('generation', 'in', generations)
        .where('ordinal', '<', passages)
        .orderBy('generation')
        .orderBy('ordinal')
        .execute()
}

/** The passages of a channel's active generations, joined with their documents. */
function selectActivePassages(db: Executor, channelId: string) {
  return db
    .selectFrom('passages')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.id', '=', 'passages.document_id')
        .onRef('documents.generation', '=', 'passages.generation'),
    )
    .where('documents.channel_id', '=', channelId)
}

/** Those passages with their documents. */
function selectLocatedPassages(db: Executor, channelId: string) {
  return selectActivePassages(db, channelId)
    .innerJoin('document_versions as version', 'version.id', 'passages.version_id')
    .selectAll('passages')
    .select(['documents.title', 'version.kind', 'version.number as version'])
}

export function findActivePassages(db: Executor, channelId: string, ids: readonly string[]) {
  return selectLocatedPassages(db, channelId).where('passages.id', 'in', ids).execute()
}

/** A passage by its place in a build. */
interface PassagePlace {
  generation: string
  ordinal: number
}

export function findActivePassagesAt(db: Executor, channelId: string, places: readonly PassagePlace[]) {
  return selectLocatedPassages(db, channelId)
    .where((eb) =>
      eb.or(
        places.map(({ generation, ordinal }) =>
          eb.and([eb('passages.generation', '=', generation), eb('passages.ordinal', '=', ordinal)]),
        ),
      ),
    )
    .execute()
}

/** Active builds whose vectors could not be added. */
export async function listKeywordsOnlyBuilds(db: Executor, limit: number): Promise<Build[]> {
  const rows = await db
    .selectFrom('documents')
    .innerJoin('document_versions as version', 'version.id', 'documents.answering_version_id')
    .select(['documents.id as documentId', 'version.id as versionId'])
    .select((eb) => eb.ref('documents.generation').$notNull().as('generation'))
    .where('documents.generation', 'is not', null)
    .where('version.index_state', '=', 'ready')
    .where('version.index_reason', 'like', `${keywordsOnlyBeginning}%`)
    .limit(limit)
    .execute()
  return rows
}

export interface ActiveGeneration {
  id: string
  documentId: string
  channelId: string
  title: string
  passages: number
}

/** One page of the active builds of all documents, ordered by document id. */
export async function listActiveGenerations(
  db: Executor,
  after: string,
  limit: number,
): Promise<ActiveGeneration[]> {
  const rows = await db
    .selectFrom('documents')
    .select(['documents.id as documentId', 'documents.channel_id as channelId', 'documents.title'])
    .select((eb) => eb.ref('documents.generation').$notNull().as('id'))
    .select((eb) =>
      eb
        .selectFrom('passages')
        .select((passage) => passage.fn.max('passages.ordinal').as('last'))
        .whereRef('passages.generation', '=', 'documents.generation')
        .as('last'),
    )
    .where('documents.generation', 'is not', null)
    .where('documents.id', '>', after)
    .orderBy('documents.id')
    .limit(limit)
    .execute()
  return rows.map(({ last, ...row }) => ({ ...row, passages: last === null ? 0 : last + 1 }))
}

/** Returns those of the generations that have passages in the database, active or not. */
export async function findRecordedGenerations(
  db: Executor,
  generations: readonly string[],
): Promise<Set<string>> {
  if (generations.length === 0) return new Set()
  const rows = await db
    .selectFrom('passages')
    .select('generation')
    .distinct()
    .where('generation', 'in', generations)
    .execute()
  return new Set(rows.map(({ generation }) => generation))
}

const unfinishedStates = ['waiting', 'extracting', 'embedding'] as const

/** Builds that are neither active nor in progress, left behind by jobs that failed for good. */
export function findAbandonedBuilds(
  db: Executor,
): Promise<{ generation: string; document_id: string; passages: number }[]> {
  return db
    .selectFrom('passages')
    .innerJoin('documents', 'documents.id', 'passages.document_id')
    .leftJoin('document_versions as approved', 'approved.id', 'documents.approved_version_id')
    .select((eb) => ['passages.generation', 'passages.document_id', eb.fn.countAll<number>().as('passages')])
    .where((eb) =>
      eb.or([
        eb('documents.generation', 'is', null),
        eb('passages.generation', '<>', eb.ref('documents.generation')),
      ]),
    )
    .where((eb) =>
      eb.or([eb('approved.id', 'is', null), eb('approved.index_state', 'not in', unfinishedStates)]),
    )
    .groupBy(['passages.generation', 'passages.document_id'])
    .execute()
}

/** Deletes a build's passages. Returns false and deletes nothing if the build is active. */
export async function deleteBuild(tx: Tx, documentId: string, generation: string): Promise<boolean> {
  const document = await lockRow(tx, 'documents', documentId)
  if (document?.generation === generation) return false
  await deletePassages(tx, generation)
  return true
}
