import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type DatabaseLocation, openDatabase } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'

export interface TestDatabase {
  location: DatabaseLocation
  /** What DATABASE_URL would be; undefined for SQLite. */
  url: string | undefined
  drop(): Promise<void>
}

// biome-ignore lint/style/noProcessEnv: the test run says by these which database to use
const { TEST_DATABASE, TEST_POSTGRES_URL, TEST_TEMPLATES } = process.env

async function migrated(location: DatabaseLocation): Promise<void> {
  const db = openDatabase(location)
  await migrate(db)
  await db.destroy()
}

async function admin(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Migrated once in each test process and copied from then on. It goes with the server that the run started. */
let postgresTemplate: Promise<string> | undefined
async function makePostgresTemplate(serverUrl: string): Promise<string> {
  const name = `lyceum_template_${randomBytes(6).toString('hex')}`
  await admin(serverUrl, `create database ${name}`)
  await migrated({ postgres: urlOf(serverUrl, name), poolSize: 1 })
  return name
}

async function postgresDatabase(serverUrl: string): Promise<TestDatabase> {
  postgresTemplate ??= makePostgresTemplate(serverUrl)
  const name = `lyceum_${randomBytes(6).toString('hex')}`
  await admin(serverUrl, `create database ${name} template ${await postgresTemplate}`)
  const url = urlOf(serverUrl, name)
  return {
    location: { postgres: url, poolSize: 5 },
    url,
    drop: () => admin(serverUrl, `drop database ${name} with (force)`),
  }
}

/** Migrated once in each test process too. It goes with the folder that the run gave. */
let sqliteTemplate: Promise<string> | undefined
async function makeSqliteTemplate(): Promise<string> {
  const path = join(await mkdtemp(join(TEST_TEMPLATES ?? tmpdir(), 'lyceum-template-')), 'lyceum.db')
  await migrated({ sqlite: path })
  return path
}

async function sqliteDatabase(dataFolder: string): Promise<TestDatabase> {
  sqliteTemplate ??= makeSqliteTemplate()
  const path = join(dataFolder, 'lyceum.db')
  await copyFile(await sqliteTemplate, path)
  return { location: { sqlite: path }, url: undefined, drop: async () => undefined }
}

/** A migrated database without records, of the kind this run is for. */
export function createTestDatabase(dataFolder: string): Promise<TestDatabase> {
  if (TEST_DATABASE !== 'postgres') return sqliteDatabase(dataFolder)
  if (!TEST_POSTGRES_URL)
    throw new Error('TEST_POSTGRES_URL is not set: the test run starts the server that it names')
  return postgresDatabase(TEST_POSTGRES_URL)
}
