import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { describePassageIndex } from '#testing/passage-index-compliance.ts'
import { createEmbeddedIndex } from './embedded-index.ts'
import type { PassageIndex } from './port.ts'
import { createPostgresIndex } from './postgres-index.ts'

const databases: MigratedDatabase[] = []

/** The index beside SQLite or in PostgreSQL, depending on the database of this test run. */
async function openIndex(): Promise<PassageIndex> {
  const database = await openMigratedDatabase()
  databases.push(database)
  return 'postgres' in database.location
    ? createPostgresIndex(database.db)
    : createEmbeddedIndex({ path: join(database.folder, 'passages.db') })
}

describePassageIndex('the index of this database', openIndex)
afterAll(async () => {
  for (const database of databases) await database.close()
})
