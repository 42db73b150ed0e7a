import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#db/client.ts'
import { readSetting } from '../../features/settings/store.ts'

/** The numbers of jobs that were given up, by name. */
export async function failedJobs(db: Db): Promise<Map<string, number>> {
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

/** When the newest record was made; ids are in the order of time, so that no table is read. */
export async function newestRecord(db: Db): Promise<number> {
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

export interface KeptFile {
  key: string
  /** Of a document; null for pictures. */
  sha256: string | null
}

/** The files of documents that are to be kept, a step at a time in the order of their versions. */
export function documentFiles(
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

/** Of channels and of the dashboard. */
export async function pictureFiles(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('channels')
    .select((eb) => eb.ref('wallpaper_file').$notNull().as('key'))
    .where('wallpaper_file', 'is not', null)
    .execute()
  const dashboard = background.safeParse(await readSetting(db, 'dashboardBackground'))
  return [...rows.map(({ key }) => key), ...(dashboard.success ? [dashboard.data.fileKey] : [])]
}

export async function isReachable(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
