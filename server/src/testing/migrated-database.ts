import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseLocation, type Db, openDatabase } from '#db/client.ts'
import { createTestDatabase } from './test-database.ts'

export interface MigratedDatabase {
  db: Db
  location: DatabaseLocation
  folder: string
  close(): Promise<void>
}

/** Opens a migrated database of the kind this test run uses, in a new temporary folder and without a server. */
export async function openMigratedDatabase(): Promise<MigratedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-test-'))
  const database = await createTestDatabase(folder)
  const db = openDatabase(database.location)
  return {
    db,
    location: database.location,
    folder,
    async close() {
      await db.destroy()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
