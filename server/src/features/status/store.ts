import type { Db } from '#db/client.ts'
import { type DatabaseFacts, databaseFacts } from '#db/database-facts.ts'
import { knownMigrations, migrationState } from '#db/migrate.ts'
import { writeSetting } from '#db/settings.ts'

export interface DatabaseStatus extends DatabaseFacts {
  /** The newest migration that this version knows. */
  latestMigration: string
  pending: number
}

export async function readDatabase(db: Db): Promise<DatabaseStatus> {
  const { pending } = await migrationState(db)
  return {
    ...(await databaseFacts(db)),
    latestMigration: knownMigrations.at(-1) ?? '',
    pending: pending.length,
  }
}

class RollbackError extends Error {}

/** Writes a row and rolls it back. */
export async function testWrite(db: Db, now: number): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      await writeSetting(tx, 'trial', { at: now }, now)
      throw new RollbackError()
    })
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error
  }
}
