import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseLocation, type Db, openDatabase } from '#db/client.ts'
import { createBlankDatabase, createTestDatabase, type TestDatabase } from './test-database.ts'

export interface MigratedDatabase {
  db: Db
  location: DatabaseLocation
  folder: string
  close(): Promise<void>
}

/** Opens a migrated database of the kind this test run uses, in a new temporary folder and without a server. */
export function openMigratedDatabase(): Promise<MigratedDatabase> {
  return openIn(createTestDatabase)
}

/** Opens a database without a schema. */
export function openBlankDatabase(): Promise<MigratedDatabase> {
  return openIn(createBlankDatabase)
}

async function openIn(create: (folder: string) => Promise<TestDatabase>): Promise<MigratedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-test-'))
  const database = await create(folder)
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
