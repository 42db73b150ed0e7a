import { relative, resolve, sep } from 'node:path'
import { failureWords } from '../backup/failure-words.ts'
import { finishRestore, type Restored, restore } from '../backup/restore.ts'
import { RestoreBrokenOff, requireWholeFolder } from '../data-folder.ts'
import { type Env, readEnv } from '../env.ts'
import { type Command, type Given, noWords, onlyWord, Refused, WrongUsage } from './command.ts'
import { givenPassphrase } from './passphrase.ts'
import { withoutServer } from './without-server.ts'

/** The name directly in the folder under which a path lies, where it does. */
function partOf(folder: string, path: string): string[] {
  const way = relative(folder, path)
  const [first = ''] = way.split(sep)
  return way === '' || first === '..' || way === path ? [] : [first]
}

function withPlacesLocked<R>({ DATA_DIR, DATABASE_URL }: Env, work: () => Promise<R>): Promise<R> {
  return withoutServer({ folder: DATA_DIR, postgres: DATABASE_URL }, 'a restore', work)
}

async function finish(env: Env): Promise<void> {
  const isDone = await withPlacesLocked(env, () =>
    finishRestore(env.DATA_DIR, env.DATABASE_URL ?? null, Date.now),
  )
  console.log(
    isDone
      ? 'The restore is complete. The next start makes the search index.'
      : 'The restore had not come so far that it can be finished: it was taken back. Please run it again.',
  )
}

function tell(env: Env, { manifest, aside, hasSecrets }: Restored): void {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const isWithout = manifest.missingFiles.length
  console.log(
    [
      `Restored into ${env.DATABASE_URL ? 'the database and ' : ''}${env.DATA_DIR}: ${rows} rows and ${manifest.files} files as they were on ${new Date(manifest.madeAt).toISOString()}.`,
      ...(aside ? [`What was there is in ${aside}; remove it when it is no longer needed.`] : []),
      ...(isWithout > 0 ? [`${isWithout} files were missing already when the backup was made.`] : []),
      hasSecrets ? 'The secrets are those of the backup.' : 'The secrets are those of this place.',
      'Everybody has to sign in again, links of open invitations are void, and letters that waited were dropped. The next start makes the search index.',
    ].join('\n'),
  )
}

async function restoreFrom(given: Given, env: Env): Promise<void> {
  const path = resolve(onlyWord(given, 'The file'))
  const passphrase = givenPassphrase(given, env)
  requireWholeFolder(env.DATA_DIR)
  const restored = await withPlacesLocked(env, () =>
    restore({
      path,
      passphrase,
      folder: env.DATA_DIR,
      postgres: env.DATABASE_URL ?? null,
      replaces: given.flags.has('replace'),
      alsoStays: [...partOf(env.DATA_DIR, env.BACKUP_DIR), ...partOf(env.DATA_DIR, path)],
      takesSecrets: env.SECRETS_FILE === undefined,
      now: Date.now,
    }),
  )
  tell(env, restored)
}

const told = [Refused, WrongUsage, RestoreBrokenOff]

export const restoreCommand: Command = {
  name: 'restore',
  takes: '<file> [--replace] [--passphrase-file <file>] | --finish',
  summary: 'bring back what a backup holds; the server must be stopped',
  details: [
    'Only into an empty data folder and, where DATABASE_URL is set, an empty database. All of the backup is read and compared first.',
    '--replace           move what is in the data folder into a folder of its own beside it',
    '--finish            go on where a restore was broken off',
    '--passphrase-file   of an encrypted backup; else BACKUP_PASSPHRASE',
  ],
  texts: ['passphrase-file'],
  flags: ['replace', 'finish'],
  async run(given) {
    const env = readEnv()
    try {
      if (given.flags.has('finish')) {
        noWords(given)
        await finish(env)
      } else await restoreFrom(given, env)
      return 0
    } catch (error) {
      if (told.some((kind) => error instanceof kind)) throw error
      requireWholeFolder(env.DATA_DIR)
      throw new Refused(`Nothing was restored. ${failureWords(error)}`)
    }
  },
}
