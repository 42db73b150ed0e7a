import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type DatabaseLocation, openDatabase } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'

export interface TestDatabase {
  location: DatabaseLocation
  /** The value for DATABASE_URL; undefined for SQLite. */
  url: string | undefined
  drop(): Promise<void>
}

// biome-ignore lint/style/noProcessEnv: the test run chooses the database with these
const { TEST_DATABASE, TEST_TEMPLATES } = process.env

async function migrateDatabase(location: DatabaseLocation): Promise<void> {
  const db = openDatabase(location)
  await migrate(db)
  await db.destroy()
}

async function runStatement(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function buildUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Creates a migrated database from which those of the tests are copied. */
export async function createPostgresTemplate(
  serverUrl: string,
): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `lyceum_template_${randomBytes(6).toString('hex')}`
  await runStatement(serverUrl, `create database ${name}`)
  await migrateDatabase({ postgres: buildUrl(serverUrl, name), poolSize: 1 })
  return { name, drop: () => runStatement(serverUrl, `drop database ${name} with (force)`) }
}

async function createPostgresDatabase(serverUrl: string, template?: string): Promise<TestDatabase> {
  const name = `lyceum_${randomBytes(6).toString('hex')}`
  await runStatement(
    serverUrl,
    `create database ${name}${template === undefined ? '' : ` template ${template}`}`,
  )
  const url = buildUrl(serverUrl, name)
  return {
    location: { postgres: url, poolSize: 5 },
    url,
    drop: () => runStatement(serverUrl, `drop database ${name} with (force)`),
  }
}

/** Migrated once per test process, then copied. It is deleted together with the run's temporary folder. */
let sqliteTemplate: Promise<string> | undefined
async function makeSqliteTemplate(): Promise<string> {
  const path = join(await mkdtemp(join(TEST_TEMPLATES ?? tmpdir(), 'lyceum-template-')), 'lyceum.db')
  await migrateDatabase({ sqlite: path })
  return path
}

async function createSqliteDatabase(dataFolder: string, template?: string): Promise<TestDatabase> {
  const path = join(dataFolder, 'lyceum.db')
  if (template !== undefined) await copyFile(template, path)
  return { location: { sqlite: path }, url: undefined, drop: async () => undefined }
}

function requirePostgres(): { serverUrl: string; template: string } {
  // biome-ignore lint/style/noProcessEnv: the test runner starts the server and sets these
  const { TEST_POSTGRES_URL, TEST_POSTGRES_TEMPLATE } = process.env
  if (TEST_POSTGRES_URL && TEST_POSTGRES_TEMPLATE)
    return { serverUrl: TEST_POSTGRES_URL, template: TEST_POSTGRES_TEMPLATE }
  throw new Error('TEST_POSTGRES_URL is not set. The test runner starts PostgreSQL and sets it.')
}

/** Creates a migrated, empty database of the kind this test run uses. */
export async function createTestDatabase(dataFolder: string): Promise<TestDatabase> {
  if (TEST_DATABASE !== 'postgres') {
    sqliteTemplate ??= makeSqliteTemplate()
    return createSqliteDatabase(dataFolder, await sqliteTemplate)
  }
  const { serverUrl, template } = requirePostgres()
  return createPostgresDatabase(serverUrl, template)
}

/** Creates a database without a schema, as before the first start, of the kind this test run uses. */
export async function createBlankDatabase(dataFolder: string): Promise<TestDatabase> {
  return TEST_DATABASE === 'postgres'
    ? createPostgresDatabase(requirePostgres().serverUrl)
    : createSqliteDatabase(dataFolder)
}
