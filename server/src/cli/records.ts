import { migrationState } from '#db/migrate.ts'
import { upgrade } from '../backup/before-upgrade.ts'
import { readEnv } from '../env.ts'
import { connectRecords, type Records } from '../start.ts'
import { withoutServer } from './without-server.ts'

/** Brings the schema up to date with nobody else at work; answers with the steps that were taken. */
export function migrateAlone(records: Records): Promise<string[]> {
  const { DATA_DIR, DATABASE_URL } = records.env
  return withoutServer(
    { folder: DATA_DIR, postgres: DATABASE_URL },
    'the database is brought up to date',
    () => upgrade(records),
  )
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
