import { migrationState } from '#db/migrate.ts'
import { upgrade } from '../backup/before-upgrade.ts'
import { readEnv } from '../env.ts'
import { connectRecords, type Records } from '../start.ts'
import { withoutServer } from './without-server.ts'

/** Upgrades the schema while no server is running. Returns the steps that were run. */
export function migrateExclusively(records: Records): Promise<string[]> {
  const { DATA_DIR, DATABASE_URL } = records.env
  return withoutServer({ folder: DATA_DIR, postgres: DATABASE_URL }, 'upgrade the database', () =>
    upgrade(records),
  )
}

/** Opens the database and the secrets for one task, without upgrading the schema. */
export async function withUnmigratedRecords<R>(work: (records: Records) => Promise<R>): Promise<R> {
  const records = connectRecords(readEnv())
  try {
    return await work(records)
  } finally {
    await records.db.destroy()
  }
}

/**
 * Opens the database and the secrets for one task. If the schema is not current, upgrades it first, so that commands
 * also work before the first start. A server may be running only if no upgrade is needed.
 */
export function withRecords<R>(work: (records: Records) => Promise<R>): Promise<R> {
  return withUnmigratedRecords(async (records) => {
    const { pending, isNewer } = await migrationState(records.db)
    if (isNewer || pending.length > 0) await migrateExclusively(records)
    return work(records)
  })
}
