import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#db/client.ts'
import { dashboardBackgroundKey, readSetting } from '../../db/settings.ts'

/** Counts jobs that failed permanently, by name. */
export async function countFailedJobs(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('jobs')
    .select((eb) => ['name', eb.fn.countAll<number>().as('jobs')])
    .where('state', '=', 'failed')
    .groupBy('name')
    .orderBy('name')
    .execute()
  return new Map(rows.map(({ name, jobs }) => [name, jobs]))
}

const recordTables = ['users', 'sessions', 'documents', 'messages', 'jobs'] as const

/** Ids are ordered by time, so no table has to be scanned. */
export async function findNewestRecordTime(db: Db): Promise<number> {
  let newest = 0
  for (const table of recordTables) {
    const row = await db
      .selectFrom(table)
      .select('created_at')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    newest = Math.max(newest, row?.created_at ?? 0)
  }
  return newest
}

export interface StoredFile {
  key: string
  /** Null for images. */
  sha256: string | null
}

/** Lists one batch of attachments, ordered by id. */
export function listAttachmentFiles(
  db: Db,
  after: string,
  limit: number,
): Promise<{ id: string; file_key: string; sha256: string }[]> {
  return db
    .selectFrom('attachments')
    .select(['id', 'file_key', 'sha256'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists one batch of document versions whose file was not deleted, ordered by version id. */
export function listDocumentFiles(
  db: Db,
  after: string,
  limit: number,
): Promise<{ id: string; file_key: string; sha256: string }[]> {
  return db
    .selectFrom('document_versions')
    .select(['id', 'file_key', 'sha256'])
    .where('id', '>', after)
    .where('released_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

const background = z.object({ fileKey: z.string() })

/** Images of channels and of the dashboard. */
export async function listImageFiles(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select((eb) => eb.ref('wallpaper_file').$notNull().as('key'))
    .where('wallpaper_file', 'is not', null)
    .execute()
  const dashboard = background.safeParse(await readSetting(db, dashboardBackgroundKey))
  return [...rows.map(({ key }) => key), ...(dashboard.success ? [dashboard.data.fileKey] : [])]
}

export async function requireReachable(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
