import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabaseLocation } from '#db/client.ts'

export interface TestDatabase {
  location: DatabaseLocation
  /** What DATABASE_URL would be; undefined for SQLite. */
  url: string | undefined
  drop(): Promise<void>
}

const admin = async (serverUrl: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A database of its own on the server that the test run started (tools/postgres.mjs). */
const postgresDatabase = async (serverUrl: string): Promise<TestDatabase> => {
  const name = `lyceum_${randomBytes(6).toString('hex')}`
  await admin(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    location: { postgres: url.href, poolSize: 5 },
    url: url.href,
    drop: () => admin(serverUrl, `drop database ${name} with (force)`),
  }
}

// biome-ignore lint/style/noProcessEnv: the test run says by these which database to use
const { TEST_DATABASE, TEST_POSTGRES_URL } = process.env

/** An empty database of the kind this run is for. */
export const createTestDatabase = async (dataFolder: string): Promise<TestDatabase> => {
  if (TEST_DATABASE !== 'postgres')
    return {
      location: { sqlite: join(dataFolder, 'lyceum.db') },
      url: undefined,
      drop: async () => undefined,
    }
  if (!TEST_POSTGRES_URL)
    throw new Error('TEST_POSTGRES_URL is not set: the test run starts the server that it names')
  return postgresDatabase(TEST_POSTGRES_URL)
}
