import { randomBytes } from 'node:crypto'
import { connectPostgres } from '../server/src/db/client.ts'
import { setup, setupDurable, teardown } from '../tools/suites/postgres.ts'

/** Creates an empty database, or a copy of the given one, which nobody may be using. Returns its URL. */
export type CreateDatabase = (template?: string) => Promise<string>
/** Deletes a database before the task ends. */
type DropDatabase = (url: string) => Promise<void>

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** Runs a statement in the database with this URL, by default in the one of the server's administrator. */
type RunStatement = (statement: string, url?: string) => Promise<void>

/**
 * Runs a task with a PostgreSQL server: the one of TEST_POSTGRES_URL, or one that is started for this task. Its commits
 * do not wait for the disk, unless it is durable.
 */
export async function withPostgres<R>(
  work: (
    createDatabase: CreateDatabase,
    dropDatabase: DropDatabase,
    runStatement: RunStatement,
  ) => Promise<R>,
  { isDurable = false } = {},
): Promise<R> {
  await (isDurable ? setupDurable() : setup())
  const serverUrl = process.env['TEST_POSTGRES_URL'] ?? ''
  const created = new Set<string>()
  async function runStatement(statement: string, url = serverUrl): Promise<void> {
    const client = await connectPostgres(url)
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  async function createDatabase(template?: string): Promise<string> {
    const name = `lyceum_bench_${randomBytes(6).toString('hex')}`
    await runStatement(`create database ${name}${template ? ` template ${nameOf(template)}` : ''}`)
    created.add(name)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }
  async function dropDatabase(url: string): Promise<void> {
    await runStatement(`drop database ${nameOf(url)} with (force)`)
    created.delete(nameOf(url))
  }
  try {
    return await work(createDatabase, dropDatabase, runStatement)
  } finally {
    for (const name of created) await runStatement(`drop database ${name} with (force)`)
    await teardown()
  }
}
