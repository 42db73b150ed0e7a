import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { migrationState } from '#db/migrate.ts'
import { openArchives } from '#providers/archives/open-archives.ts'
import { secretsName } from '../backup/archive-format.ts'
import { type ArchiveAddress, formatArchiveAddress } from '../backup/archives-location.ts'
import { describeFailure } from '../backup/describe-failure.ts'
import { getDatabaseLocation } from '../backup/locations.ts'
import { type BackupMade, makeBackup } from '../backup/make-backup.ts'
import { readArchive } from '../backup/read-archive.ts'
import { recordBackupFailure, recordBackupMade } from '../backup/state.ts'
import { type Env, readEnv } from '../env.ts'
import { requireNoInterruptedRestore } from '../files/data-folder.ts'
import { openStoredFiles } from '../files/files-location.ts'
import { secretsPath } from '../start.ts'
import { readArchiveAddress, withArchiveFile } from './archive-argument.ts'
import { type Arguments, type Command, CommandError } from './command.ts'
import { formatCount } from './format-count.ts'
import { readPassphrase } from './passphrase.ts'

function formatSize(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

type Outcome = { made: BackupMade } | { reason: string }

async function recordOutcome(env: Env, outcome: Outcome): Promise<void> {
  const db = openDatabase(getDatabaseLocation(env))
  try {
    const { pending, isNewer } = await migrationState(db)
    if (pending.length > 0 || isNewer) return
    const deps = { db, now: Date.now }
    await ('made' in outcome
      ? recordBackupMade(deps, outcome.made, false)
      : recordBackupFailure(deps, outcome.reason, true))
  } finally {
    await db.destroy()
  }
}

/** Records the outcome for the running server. A failure here does not invalidate the backup. */
async function tryToRecordOutcome(env: Env, outcome: Outcome): Promise<void> {
  try {
    await recordOutcome(env, outcome)
  } catch (error) {
    console.error(`The outcome could not be recorded in the audit log: ${describeFailure(error)}`)
  }
}

function describeIncomplete(missing: number, changed: number): string | null {
  return missing + changed === 0
    ? null
    : `Warning: this backup was made with ${formatCount(missing, 'stored file')} missing and ${changed} changed.`
}

async function make(args: Arguments, env: Env, { location, name }: ArchiveAddress): Promise<BackupMade> {
  requireNoInterruptedRestore(env.DATA_DIR)
  if (!env.DATABASE_URL && !existsSync(join(env.DATA_DIR, 'lyceum.db')))
    throw new CommandError(`There is no installation in ${env.DATA_DIR}.`)
  const passphrase = readPassphrase(args, env)
  try {
    return await makeBackup(await openStoredFiles(env), await openArchives(location), {
      database: getDatabaseLocation(env),
      name,
      passphrase,
      secretsFile: args.flags.has('with-secrets') ? secretsPath(env) : null,
      madeAt: Date.now(),
    })
  } catch (error) {
    const reason = describeFailure(error)
    await tryToRecordOutcome(env, { reason })
    throw new CommandError(`No backup was made. ${reason}`)
  }
}

async function verify(args: Arguments, env: Env, address: ArchiveAddress): Promise<void> {
  const passphrase = readPassphrase(args, env)
  try {
    const { madeAt, app, database, steps, tables, files, fileBytes, entries, ...rest } =
      await withArchiveFile(env, address, (path) => readArchive(path, passphrase))
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const hasSecrets = entries.some(({ name }) => name === secretsName)
    console.log(
      [
        `${formatArchiveAddress(address)} is complete and unchanged.`,
        `  made      ${new Date(madeAt).toISOString()} by Lyceum ${app} on ${database}, schema ${steps.at(-1)}`,
        `  rows      ${formatCount(rows, 'row')} in ${formatCount(tables.length, 'table')}`,
        ...tables.filter((table) => table.rows > 0).map((table) => `            ${table.rows} ${table.name}`),
        `  files     ${formatCount(files, 'file')}, ${formatSize(fileBytes)}`,
        `  secrets   ${hasSecrets ? 'included' : 'not included'}`,
      ].join('\n'),
    )
    const { missingFiles, changedFiles } = rest
    const warning = describeIncomplete(missingFiles.length, changedFiles.length)
    if (warning) console.error(warning)
  } catch (error) {
    throw new CommandError(describeFailure(error))
  }
}

export const backupCommand: Command = {
  name: 'backup',
  synopsis: '<file or s3://bucket/file> [--with-secrets] [--verify] [--passphrase-file <file>]',
  summary:
    'back up the database and all stored files into one file, or verify a backup; the server may be running',
  details: [
    '--with-secrets      include the secrets file; protect the backup as carefully as that file',
    '--verify            read a whole backup, check every entry, and print what it contains',
    '--passphrase-file   encrypt with the passphrase in this file; the default is BACKUP_PASSPHRASE, if set',
  ],
  options: ['passphrase-file'],
  flags: ['with-secrets', 'verify'],
  async run(args) {
    const env = readEnv()
    const address = readArchiveAddress(args, env)
    if (args.flags.has('verify')) {
      await verify(args, env, address)
      return 0
    }
    const made = await make(args, env, address)
    await tryToRecordOutcome(env, { made })
    const { rows, files, bytes, isEncrypted } = made
    console.log(
      `${made.path}: ${formatCount(rows, 'row')}, ${formatCount(files, 'file')}, ${formatSize(bytes)}${isEncrypted ? ', encrypted' : ''}`,
    )
    const warning = describeIncomplete(made.missingFiles, made.changedFiles)
    if (warning) console.error(`${warning} Run npx lyceum doctor --hashes for details.`)
    return 0
  },
}
