import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeFailure } from '../backup/describe-failure.ts'
import { moveDatabase } from '../backup/move-database.ts'
import { readEnv } from '../env.ts'
import { requireNoInterruptedRestore } from '../files/data-folder.ts'
import { type Command, CommandError, readPositional, UsageError } from './command.ts'
import { formatCount } from './format-count.ts'
import { withoutServer } from './without-server.ts'

function isPostgresUrl(url: string): boolean {
  return ['postgres:', 'postgresql:'].includes(URL.parse(url)?.protocol ?? '')
}

async function move(folder: string, bucket: string | undefined, target: string): Promise<void> {
  const { tables, auditError } = await moveDatabase(join(folder, 'lyceum.db'), target, Date.now)
  for (const { name, rows, digest } of tables)
    if (rows > 0)
      console.log(`  ${name.padEnd(22)} ${formatCount(rows, 'row').padStart(14)}  ${digest.slice(0, 16)}`)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    [
      `Copied ${formatCount(rows, 'row')} in ${formatCount(tables.length, 'table')} and compared both databases: they match.`,
      bucket === undefined
        ? 'Next, set DATABASE_URL to this URL and start the server with the same DATA_DIR, which still holds the files and secrets.'
        : 'Next, set DATABASE_URL to this URL and start the server with the same DATA_DIR, which still holds the secrets, and the same bucket.',
      `${join(folder, 'lyceum.db')} was not changed. Keep it until you are satisfied, and do not start the server on it again.`,
    ].join('\n'),
  )
  if (auditError !== null)
    console.error(`The move could not be recorded in the audit log: ${describeFailure(auditError)}`)
}

export const migrateToCommand: Command = {
  name: 'migrate-to',
  synopsis: 'postgres://…',
  summary: 'copy all rows from SQLite into an empty PostgreSQL database; the server must be stopped',
  details: [
    'Copies in one transaction, which commits only if both databases match. The SQLite file is only read.',
  ],
  async run(args) {
    const target = readPositional(args, 'The database URL')
    if (!isPostgresUrl(target)) throw new UsageError('The database URL must begin with postgres://')
    const { DATABASE_URL, DATA_DIR, S3_BUCKET } = readEnv()
    if (DATABASE_URL)
      throw new CommandError('DATABASE_URL is set, so this installation already uses PostgreSQL.')
    requireNoInterruptedRestore(DATA_DIR)
    if (!existsSync(join(DATA_DIR, 'lyceum.db')))
      throw new CommandError(`There is no database in ${DATA_DIR}.`)
    try {
      await withoutServer({ folder: DATA_DIR, postgres: target }, 'move its database', () =>
        move(DATA_DIR, S3_BUCKET, target),
      )
      return 0
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new CommandError(`Nothing was moved. ${describeFailure(error)}`)
    }
  },
}
