import { join } from 'node:path'
import { runCli } from '../server/src/testing/run-cli.ts'
import { copyWithRecords, large, type Size, small } from './large-records.ts'
import { withPostgres } from './postgres.ts'
import { withFolder } from './server-process.ts'
import { withDeps } from './with-deps.ts'

export interface Records {
  /** A path that does not exist yet. */
  folder: string
  size: Size
  onPostgres: boolean
  logStep: (step: string) => void
  /** Adds more records to the SQLite database in the folder. */
  extend?: () => void
}

/**
 * Runs a task on an installation with the number of records in `size`. The task receives the environment variables that
 * a server on this folder needs.
 */
export async function withRecords<R>(
  { folder, size, onPostgres, logStep, extend }: Records,
  work: (env: Record<string, string>) => Promise<R>,
): Promise<R> {
  await copyWithRecords(folder, size, logStep)
  extend?.()
  if (!onPostgres) return work({})
  return withPostgres(async (createDatabase, _drop, runStatement) => {
    const url = await createDatabase()
    logStep(`moving ${size.name} messages to PostgreSQL`)
    const { code, stderr } = await runCli(['migrate-to', url], { DATA_DIR: folder })
    if (code !== 0) throw new Error(`lyceum migrate-to ended with ${code}: ${stderr}`)
    const env = { DATABASE_URL: url }
    logStep('indexing the messages')
    await withDeps(folder, (deps) => deps.messageSearch.waitUntilIndexed(), env)
    // PostgreSQL does this by itself, some time after a large change.
    await runStatement('vacuum analyze', url)
    return work(env)
  })
}

/** Measures on an installation with few records and on one with many. */
export function measureBothSizes<R>(
  options: Pick<Records, 'onPostgres' | 'logStep'>,
  measure: (records: Records, env: Record<string, string>) => Promise<R>,
): Promise<[R, R]> {
  return withFolder(async (parent) => {
    function measureAt(size: Size): Promise<R> {
      const records: Records = { ...options, folder: join(parent, size.name), size }
      return withRecords(records, (env) => measure(records, env))
    }
    return [await measureAt(small), await measureAt(large)]
  })
}
