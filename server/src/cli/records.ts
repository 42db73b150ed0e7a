import { migrationState } from '#db/migrate.ts'
import { upgrade } from '../backup/before-upgrade.ts'
import { DataFolderInUse, holdDataFolder } from '../data-folder.ts'
import { readEnv } from '../env.ts'
import { connectRecords, type Records } from '../start.ts'
import { Refused } from './command.ts'

/** Brings the schema up to date with nobody else at work; answers with the steps that were taken. */
export async function migrateAlone(records: Records): Promise<string[]> {
  const { env } = records
  try {
    const folder = holdDataFolder(env.DATA_DIR)
    try {
      return await upgrade(records)
    } finally {
      folder.release()
    }
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error
    throw new Refused(
      `A Lyceum server is running on ${env.DATA_DIR}: stop it before the database is brought up to date.`,
    )
  }
}

/** Lends the records as they are for one piece of work. */
export async function withRecordsAsTheyAre<R>(work: (records: Records) => Promise<R>): Promise<R> {
  const records = connectRecords(readEnv())
  try {
    return await work(records)
  } finally {
    await records.db.destroy()
  }
}

/**
 * Lends the records beside a running server, whose schema is the same then. Without one they are brought up to date
 * first, so that a command can also be the first thing an installation sees.
 */
export function withRecords<R>(work: (records: Records) => Promise<R>): Promise<R> {
  return withRecordsAsTheyAre(async (records) => {
    const { pending, isNewer } = await migrationState(records.db)
    if (isNewer || pending.length > 0) await migrateAlone(records)
    return work(records)
  })
}
