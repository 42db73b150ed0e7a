import type { Executor } from '#db/client.ts'
import { dashboardBackgroundKey, readSetting } from '#db/settings.ts'

/** Schedules files for deletion: a job deletes them from disk a day later. */
export async function scheduleFileDeletion(
  db: Executor,
  fileKeys: readonly string[],
  now: number,
): Promise<void> {
  if (fileKeys.length === 0) return
  await db
    .insertInto('removed_files')
    .values(fileKeys.map((file_key) => ({ file_key, removed_at: now })))
    .onConflict((conflict) => conflict.column('file_key').doNothing())
    .execute()
}

export async function listRemovedFiles(db: Executor, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('removed_files')
    .select('file_key')
    .where('removed_at', '<=', before)
    .orderBy('removed_at')
    .limit(limit)
    .execute()
  return rows.map(({ file_key }) => file_key)
}

export async function forgetRemovedFiles(db: Executor, fileKeys: readonly string[]): Promise<void> {
  if (fileKeys.length === 0) return
  await db.deleteFrom('removed_files').where('file_key', 'in', fileKeys).execute()
}

/** Returns the given files that documents, attachments, channels, settings or scheduled deletions still refer to. */
export async function findUsedFiles(db: Executor, fileKeys: readonly string[]): Promise<Set<string>> {
  if (fileKeys.length === 0) return new Set()
  const rows = await db
    .selectFrom('document_versions')
    .select('file_key as key')
    .where('file_key', 'in', fileKeys)
    .union(db.selectFrom('attachments').select('file_key as key').where('file_key', 'in', fileKeys))
    .union(db.selectFrom('removed_files').select('file_key as key').where('file_key', 'in', fileKeys))
    .union(
      db
        .selectFrom('channels')
        .select((eb) => eb.ref('wallpaper_file').$notNull().as('key'))
        .where('wallpaper_file', 'in', fileKeys),
    )
    .execute()
  const background = JSON.stringify((await readSetting(db, dashboardBackgroundKey)) ?? null)
  const inSettings = fileKeys.filter((key) => background.includes(key))
  return new Set([...rows.map(({ key }) => key), ...inSettings])
}
