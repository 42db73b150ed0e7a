import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrationState } from '#db/migrate.ts'
import { type Env, readEnv } from '../env.ts'
import { SecretsError } from '../key-file.ts'
import { connectRecords, type Records, secretsPath } from '../start.ts'
import { type Command, noWords, Refused } from './command.ts'
import { recordChecks, schemaChecks } from './doctor/database-checks.ts'
import { fileChecks } from './doctor/file-checks.ts'
import { type Check, type Finding, look } from './doctor/finding.ts'
import { folderChecks } from './doctor/folder-checks.ts'
import { mailCheck } from './doctor/mail-check.ts'

function tell({ level, about, words }: Finding): void {
  console.log(`${level.padEnd(9)}${about}: ${words}`)
}

/** True when nothing was a problem. */
async function lookAt(checks: readonly Check[]): Promise<boolean> {
  let isWell = true
  for (const check of checks) {
    const finding = await look(check)
    tell(finding)
    if (finding.level === 'problem') isWell = false
  }
  return isWell
}

async function lookAtRecords(records: Records, rehashes: boolean): Promise<boolean> {
  const isWhole = await lookAt(schemaChecks(records))
  const { pending, isNewer } = await migrationState(records.db).catch(() => ({
    pending: [''],
    isNewer: false,
  }))
  const isOurs = pending.length === 0 && !isNewer
  const isWell = await lookAt([
    ...(isOurs ? [...recordChecks(records), ...(await fileChecks(records, rehashes))] : []),
    mailCheck(records),
  ])
  return isWhole && isWell
}

/** Nothing is made by looking: where there are no records yet, none are opened. */
function hasRecords(env: Env): boolean {
  return (
    existsSync(secretsPath(env)) &&
    (env.DATABASE_URL !== undefined || existsSync(join(env.DATA_DIR, 'lyceum.db')))
  )
}

async function examine(env: Env, rehashes: boolean): Promise<boolean> {
  if (!statSync(env.DATA_DIR, { throwIfNoEntry: false })?.isDirectory())
    throw new Refused(`There is no data folder at ${env.DATA_DIR}: the first start makes it.`)
  const isWell = await lookAt(folderChecks(env))
  if (!hasRecords(env)) {
    tell({ level: 'warning', about: 'database', words: 'not there yet: the first start makes it' })
    return isWell
  }
  let records: Records
  try {
    records = connectRecords({ ...env, LOG_LEVEL: 'silent' })
  } catch (error) {
    // What is wrong with the secrets has been told.
    if (!(error instanceof SecretsError))
      tell({ level: 'problem', about: 'database', words: (error as Error).message })
    return false
  }
  try {
    return (await lookAtRecords(records, rehashes)) && isWell
  } finally {
    await records.db.destroy()
  }
}

export const doctorCommand: Command = {
  name: 'doctor',
  takes: '[--hashes]',
  summary: 'look over the installation, beside a running server too',
  details: [
    'One line each: ok, warning or problem. It changes nothing, and ends with 1 when there is a problem.',
    '--hashes   also read every document and compare it with what was uploaded',
  ],
  flags: ['hashes'],
  async run(given) {
    noWords(given)
    return (await examine(readEnv(), given.flags.has('hashes'))) ? 0 : 1
  },
}
