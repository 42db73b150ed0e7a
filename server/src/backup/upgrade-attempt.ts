import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '#db/client.ts'
import { writeWholeFile } from '#lib/whole-file.ts'
import type { ArchiveStore } from '#providers/archives/port.ts'

/** An upgrade that has begun and has not succeeded yet. */
const upgradeAttempt = z.object({
  /** The name of the backup. It is recorded before the backup is made, whose file appears complete or not at all. */
  backup: z.string(),
  /** What `readDataMark` returned before the backup. */
  data: z.string(),
})
type UpgradeAttempt = z.output<typeof upgradeAttempt>

function attemptPath(dataFolder: string): string {
  return join(dataFolder, 'upgrade-attempt.json')
}

/**
 * Returns a text that changes when a server has run on the database, or when its schema has changed. A failed upgrade
 * leaves it as it is. Every version has these tables, and its server adds a job for each repeating task.
 */
export async function readDataMark(db: Db): Promise<string> {
  const { rows } = await sql<Record<string, unknown>>`select
    (select count(*) from kysely_migration) as migrations,
    (select max(seq) from messages) as messages,
    (select max(created_at) from jobs) as jobs,
    (select max(last_seen_at) from sessions) as sessions`.execute(db)
  return JSON.stringify(rows)
}

/** Returns the name of the backup that an earlier attempt made of the same data; null if there is none. */
export async function findBackupOf(
  dataFolder: string,
  archives: ArchiveStore,
  data: string,
): Promise<string | null> {
  try {
    const earlier = upgradeAttempt.parse(JSON.parse(await readFile(attemptPath(dataFolder), 'utf8')))
    return earlier.data === data && (await archives.has(earlier.backup)) ? earlier.backup : null
  } catch {
    // If the record cannot be read, make another backup.
    return null
  }
}

export function recordAttempt(dataFolder: string, attempt: UpgradeAttempt): Promise<void> {
  return writeWholeFile(attemptPath(dataFolder), `${JSON.stringify(attempt)}\n`)
}

export function forgetAttempt(dataFolder: string): Promise<void> {
  return rm(attemptPath(dataFolder), { force: true })
}
