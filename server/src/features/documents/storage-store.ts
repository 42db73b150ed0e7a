import { sql } from 'kysely'
import type { Executor } from '#db/client.ts'

export interface ChannelStorage {
  id: string
  name: string
  documents: number
  versions: number
  bytes: number
  passages: number
}

function sum(expression: ReturnType<typeof sql>) {
  return sql<number>`cast(coalesce(sum(${expression}), 0) as bigint)`
}

/** Files and passages of every channel, in two grouped queries. Released files do not count. */
export async function listChannelStorage(db: Executor): Promise<ChannelStorage[]> {
  const files = await db
    .selectFrom('channels')
    .leftJoin('documents', 'documents.channel_id', 'channels.id')
    .leftJoin('document_versions as version', 'version.document_id', 'documents.id')
    .select((eb) => [
      'channels.id',
      'channels.name',
      eb.fn.count<number>('documents.id').distinct().as('documents'),
      eb.fn.count<number>('version.id').as('versions'),
      sum(sql`case when version.released_at is null then version.file_size else 0 end`).as('bytes'),
    ])
    .groupBy(['channels.id', 'channels.name'])
    .execute()
  // The highest ordinal of each document is a single index lookup; counting the passages would read them all.
  const passages = await db
    .selectFrom('documents')
    .select([
      'documents.channel_id',
      sum(
        sql`(select max(passages.ordinal) + 1 from passages where passages.generation = documents.generation)`,
      ).as('passages'),
    ])
    .where('documents.generation', 'is not', null)
    .groupBy('documents.channel_id')
    .execute()
  const passagesByChannel = new Map(passages.map((row) => [row.channel_id, row.passages]))
  return files.map((row) => ({ ...row, passages: passagesByChannel.get(row.id) ?? 0 }))
}

/** Counts the documents with an active build. */
export async function countAnsweringDocuments(db: Executor): Promise<number> {
  const { documents } = await db
    .selectFrom('documents')
    .select((eb) => eb.fn.countAll<number>().as('documents'))
    .where('generation', 'is not', null)
    .executeTakeFirstOrThrow()
  return documents
}

export async function countFailedDocuments(db: Executor, limit: number): Promise<number> {
  const failed = db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.approved_version_id', 'document_versions.id')
    .select('documents.id')
    .where('document_versions.index_state', '=', 'failed')
    .where('documents.status', '=', 'approved')
    .limit(limit)
  const { documents } = await db
    .selectFrom(failed.as('failed'))
    .select((eb) => eb.fn.countAll<number>().as('documents'))
    .executeTakeFirstOrThrow()
  return documents
}

/** Total size of all stored document files, in bytes. */
export async function sumFileSizes(db: Executor): Promise<number> {
  const { bytes } = await db
    .selectFrom('document_versions')
    .select(sql<number>`cast(coalesce(sum(file_size), 0) as bigint)`.as('bytes'))
    .where('released_at', 'is', null)
    .executeTakeFirstOrThrow()
  return bytes
}
