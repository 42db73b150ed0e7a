import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrationState } from '#db/migrate.ts'
import { type Env, readEnv } from '../env.ts'
import { SecretsError } from '../keys/key-file.ts'
import { type BaseDeps, openBaseDeps, secretsPath } from '../start.ts'
import { type Command, CommandError, requireNoPositionals } from './command.ts'
import { contentChecks, schemaChecks } from './doctor/database-checks.ts'
import { fileChecks } from './doctor/file-checks.ts'
import { type Check, type Finding, runCheck } from './doctor/finding.ts'
import { folderChecks } from './doctor/folder-checks.ts'
import { mailCheck } from './doctor/mail-check.ts'
import { redisChecks } from './doctor/redis-checks.ts'
import { searchChecks } from './doctor/search-checks.ts'

function printFinding({ level, about, text }: Finding): void {
  console.log(`${level.padEnd(9)}${about}: ${text}`)
}

/** Returns true if there was no problem. */
async function runChecks(checks: readonly Check[]): Promise<boolean> {
  let isHealthy = true
  for (const check of checks) {
    const finding = await runCheck(check)
    printFinding(finding)
    if (finding.level === 'problem') isHealthy = false
  }
  return isHealthy
}

async function checkDatabase(deps: BaseDeps, shouldVerifyHashes: boolean): Promise<boolean> {
  const isSchemaHealthy = await runChecks(schemaChecks(deps))
  const isSchemaCurrent = await migrationState(deps.db).then(
    ({ pending, isNewer }) => pending.length === 0 && !isNewer,
    () => false,
  )
  const isContentHealthy = await runChecks([
    ...(isSchemaCurrent ? [...contentChecks(deps), ...(await fileChecks(deps, shouldVerifyHashes))] : []),
    ...searchChecks(deps),
    ...redisChecks(deps),
    mailCheck(deps),
  ])
  return isSchemaHealthy && isContentHealthy
}

/** `doctor` must not create anything, so it opens the database only if there is one. */
function hasDatabase(env: Env): boolean {
  return (
    existsSync(secretsPath(env)) &&
    (env.DATABASE_URL !== undefined || existsSync(join(env.DATA_DIR, 'lyceum.db')))
  )
}

async function runDoctor(env: Env, shouldVerifyHashes: boolean): Promise<boolean> {
  if (!statSync(env.DATA_DIR, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`There is no data folder at ${env.DATA_DIR}. The first start creates it.`)
  const isFolderHealthy = await runChecks(folderChecks(env))
  if (!hasDatabase(env)) {
    printFinding({
      level: 'warning',
      about: 'database',
      text: 'No database yet. The first start creates it.',
    })
    return isFolderHealthy
  }
  let deps: BaseDeps
  try {
    deps = openBaseDeps({ ...env, LOG_LEVEL: 'silent' })
  } catch (error) {
    // `folderChecks` has already reported a problem with the secrets.
    if (!(error instanceof SecretsError))
      printFinding({ level: 'problem', about: 'database', text: (error as Error).message })
    return false
  }
  try {
    return (await checkDatabase(deps, shouldVerifyHashes)) && isFolderHealthy
  } finally {
    await deps.db.destroy()
  }
}

export const doctorCommand: Command = {
  name: 'doctor',
  synopsis: '[--hashes]',
  summary: 'check the installation; the server may be running',
  details: [
    'Prints one line per check: ok, warning or problem. Changes nothing, except that it writes and removes a file in the bucket and a key in Redis, if they are configured. Exits with 1 if there is a problem.',
    '--hashes   also read every document and compare its hash with that of the upload',
  ],
  flags: ['hashes'],
  async run(args) {
    requireNoPositionals(args)
    return (await runDoctor(readEnv(), args.flags.has('hashes'))) ? 0 : 1
  },
}
