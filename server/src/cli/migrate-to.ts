import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { failureWords } from '../backup/failure-words.ts'
import { moveDatabase } from '../backup/move-database.ts'
import { requireWholeFolder } from '../data-folder.ts'
import { readEnv } from '../env.ts'
import { type Command, onlyWord, Refused, WrongUsage } from './command.ts'
import { withoutServer } from './without-server.ts'

function isPostgresAddress(address: string): boolean {
  return ['postgres:', 'postgresql:'].includes(URL.parse(address)?.protocol ?? '')
}

async function move(folder: string, target: string): Promise<void> {
  const { tables, notEntered } = await moveDatabase(join(folder, 'lyceum.db'), target, Date.now)
  for (const { name, rows, digest } of tables)
    if (rows > 0) console.log(`  ${name.padEnd(22)} ${String(rows).padStart(9)} rows  ${digest.slice(0, 16)}`)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    [
      `Copied ${rows} rows of ${tables.length} tables; both sides agree in number and content.`,
      'Next: set DATABASE_URL to this address and start the server with the same DATA_DIR, where files and secrets stay.',
      `${join(folder, 'lyceum.db')} was not changed. Keep it until you are content, and do not start on it again.`,
    ].join('\n'),
  )
  if (notEntered !== null)
    console.error(`The move could not be entered in the audit log: ${failureWords(notEntered)}`)
}

export const migrateToCommand: Command = {
  name: 'migrate-to',
  takes: 'postgres://…',
  summary: 'copy the records from SQLite into an empty PostgreSQL database; the server must be stopped',
  details: [
    'In one transaction; the two sides are compared table by table before it ends. The SQLite file is only read.',
  ],
  async run(given) {
    const target = onlyWord(given, 'The address of the database')
    if (!isPostgresAddress(target)) throw new WrongUsage('The address must begin with postgres://')
    const { DATABASE_URL, DATA_DIR } = readEnv()
    if (DATABASE_URL) throw new Refused('DATABASE_URL is set: the records are in PostgreSQL already.')
    requireWholeFolder(DATA_DIR)
    if (!existsSync(join(DATA_DIR, 'lyceum.db'))) throw new Refused(`There are no records in ${DATA_DIR}.`)
    try {
      await withoutServer({ folder: DATA_DIR, postgres: target }, 'the records are moved', () =>
        move(DATA_DIR, target),
      )
      return 0
    } catch (error) {
      if (error instanceof Refused) throw error
      throw new Refused(`Nothing was moved. ${failureWords(error)}`)
    }
  },
}
