import type { Db } from '#db/client.ts'
import { type DatabaseFacts, databaseFacts } from '#db/database-facts.ts'
import { knownSteps, migrationState } from '#db/migrate.ts'
import { writeSetting } from '#db/settings.ts'

export interface DatabaseStanding extends DatabaseFacts {
  /** The newest migration that this version knows. */
  step: string
  pending: number
}

export async function readDatabase(db: Db): Promise<DatabaseStanding> {
  const { pending } = await migrationState(db)
  return { ...(await databaseFacts(db)), step: knownSteps.at(-1) ?? '', pending: pending.length }
}

class TakenBack extends Error {}

/** Writes a row and rolls it back. */
export async function tryWriting(db: Db, now: number): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      await writeSetting(tx, 'trial', { at: now }, now)
      throw new TakenBack()
    })
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error
  }
}
