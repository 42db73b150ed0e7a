import { randomBytes } from 'node:crypto'
import { connectPostgres } from '../server/src/db/client.ts'
import { setup, teardown } from '../tools/suites/postgres.ts'

/** Creates an empty database and returns its URL. */
export type CreateDatabase = () => Promise<string>

/** Runs a task with a PostgreSQL server: the one of TEST_POSTGRES_URL, or one that is started for this task. */
export async function withPostgres<R>(work: (createDatabase: CreateDatabase) => Promise<R>): Promise<R> {
  await setup()
  const serverUrl = process.env['TEST_POSTGRES_URL'] ?? ''
  const created: string[] = []
  async function runStatement(statement: string): Promise<void> {
    const client = await connectPostgres(serverUrl)
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  try {
    return await work(async () => {
      const name = `lyceum_bench_${randomBytes(6).toString('hex')}`
      await runStatement(`create database ${name}`)
      created.push(name)
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      return url.href
    })
  } finally {
    for (const name of created) await runStatement(`drop database ${name} with (force)`)
    await teardown()
  }
}
