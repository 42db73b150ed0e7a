import { sql } from 'kysely'
import type { Db } from '#db/client.ts'
import { knownMigrations } from '#db/migrate.ts'

/** Running this migration on a database that has its column fails. Later ones may succeed when they run again. */
export const failingMigration = '0021-running-replies'

/** Makes the next upgrade fail: `failingMigration` and later ones count as pending, although they have run. */
export async function breakUpgrade(db: Db): Promise<void> {
  await sql`delete from kysely_migration where name >= ${failingMigration}`.execute(db)
}

/** Undoes `breakUpgrade`. The migrations are recorded at `time`, which must be after that of all others. */
export async function repairUpgrade(db: Db, time: Date): Promise<void> {
  for (const name of knownMigrations.filter((known) => known >= failingMigration))
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${time.toISOString()})`.execute(
      db,
    )
}
