import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { migrationState } from '#db/migrate.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import { secretsName } from '../backup/archive-format.ts'
import { failureWords } from '../backup/failure-words.ts'
import { type BackupMade, makeBackup } from '../backup/make-backup.ts'
import { filesOf, recordsOf } from '../backup/places.ts'
import { readArchive } from '../backup/read-archive.ts'
import { noteFailed, noteMade } from '../backup/state.ts'
import { requireWholeFolder } from '../data-folder.ts'
import { type Env, readEnv } from '../env.ts'
import { secretsPath } from '../start.ts'
import { type Command, type Given, onlyWord, Refused } from './command.ts'
import { givenPassphrase } from './passphrase.ts'

function inWords(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
}

function size(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

type Outcome = { made: BackupMade } | { reason: string }

async function enter(env: Env, outcome: Outcome): Promise<void> {
  const db = openDatabase(recordsOf(env))
  try {
    const { pending, isNewer } = await migrationState(db)
    if (pending.length > 0 || isNewer) return
    const noting = { db, now: Date.now }
    await ('made' in outcome
      ? noteMade(noting, outcome.made, false)
      : noteFailed(noting, outcome.reason, true))
  } finally {
    await db.destroy()
  }
}

/** Enters the outcome where the running server finds it. That it cannot be entered does not undo a backup. */
async function note(env: Env, outcome: Outcome): Promise<void> {
  try {
    await enter(env, outcome)
  } catch (error) {
    console.error(`The outcome could not be entered in the audit log: ${failureWords(error)}`)
  }
}

function warnOfFiles({ missingFiles, changedFiles }: BackupMade): void {
  if (missingFiles + changedFiles === 0) return
  console.error(
    `Warning: of the files that the records name ${missingFiles} were missing and ${changedFiles} changed. npx lyceum doctor --hashes says more.`,
  )
}

async function make(given: Given, env: Env, path: string): Promise<BackupMade> {
  requireWholeFolder(env.DATA_DIR)
  if (!env.DATABASE_URL && !existsSync(join(env.DATA_DIR, 'lyceum.db')))
    throw new Refused(`There is no installation in ${env.DATA_DIR}.`)
  const passphrase = givenPassphrase(given, env)
  try {
    return await makeBackup(await createLocalFiles(filesOf(env)), {
      database: recordsOf(env),
      path,
      passphrase,
      secretsFile: given.flags.has('with-secrets') ? secretsPath(env) : null,
      madeAt: Date.now(),
    })
  } catch (error) {
    const reason = failureWords(error)
    await note(env, { reason })
    throw new Refused(`No backup was made. ${reason}`)
  }
}

async function verify(given: Given, env: Env, path: string): Promise<void> {
  const passphrase = givenPassphrase(given, env)
  try {
    const { madeAt, app, database, steps, tables, files, fileBytes, entries, ...rest } = await readArchive(
      path,
      passphrase,
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const hasSecrets = entries.some(({ name }) => name === secretsName)
    console.log(
      [
        `${path} is whole: every entry is as it was written.`,
        `  made      ${new Date(madeAt).toISOString()} by Lyceum ${app} on ${database}, schema ${steps.at(-1)}`,
        `  records   ${inWords(rows, 'row')} in ${inWords(tables.length, 'table')}`,
        ...tables.filter((table) => table.rows > 0).map((table) => `            ${table.rows} ${table.name}`),
        `  files     ${inWords(files, 'file')}, ${size(fileBytes)}`,
        `  secrets   ${hasSecrets ? 'held' : 'not held'}`,
      ].join('\n'),
    )
    const lacking = [...rest.missingFiles, ...rest.changedFiles]
    if (lacking.length > 0)
      console.error(
        `Warning: when it was made, ${rest.missingFiles.length} files were missing and ${rest.changedFiles.length} changed.`,
      )
  } catch (error) {
    throw new Refused(failureWords(error))
  }
}

export const backupCommand: Command = {
  name: 'backup',
  takes: '<file> [--with-secrets] [--verify] [--passphrase-file <file>]',
  summary: 'back up records and files into one file, beside a running server too; or check such a file',
  details: [
    '--with-secrets      also hold the secrets file; guard such a backup as you guard that',
    '--verify            read a backup from end to end, compare all of it, and say what it holds',
    '--passphrase-file   encrypt with the passphrase in this file; else with BACKUP_PASSPHRASE, where it is set',
  ],
  texts: ['passphrase-file'],
  flags: ['with-secrets', 'verify'],
  async run(given) {
    const path = resolve(onlyWord(given, 'The file'))
    const env = readEnv()
    if (given.flags.has('verify')) {
      await verify(given, env, path)
      return 0
    }
    const made = await make(given, env, path)
    await note(env, { made })
    const { rows, files, bytes, isEncrypted } = made
    console.log(
      `${made.path}: ${inWords(rows, 'row')}, ${inWords(files, 'file')}, ${size(bytes)}${isEncrypted ? ', encrypted' : ''}`,
    )
    warnOfFiles(made)
    return 0
  },
}
