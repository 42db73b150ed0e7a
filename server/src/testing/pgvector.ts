import { sql } from 'kysely'
import type { Db } from '#db/client.ts'

// biome-ignore lint/style/noProcessEnv: the test run starts the server and sets this
const { TEST_PGVECTOR_FAULT } = process.env

/** Creates the extension in a schema of its own, which is not in the search path. */
export async function createPgvector(db: Db): Promise<void> {
  if (TEST_PGVECTOR_FAULT) throw new Error(TEST_PGVECTOR_FAULT)
  await sql`create schema extensions`.execute(db)
  await sql`create extension vector schema extensions`.execute(db)
}
