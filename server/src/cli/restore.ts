import { relative, sep } from 'node:path'
import { isS3Address } from '#lib/s3-address.ts'
import { describeFailure } from '../backup/describe-failure.ts'
import { finishRestore, type RestoreResult, restore } from '../backup/restore.ts'
import { type Env, readEnv } from '../env.ts'
import { RestoreInterrupted, requireNoInterruptedRestore } from '../files/data-folder.ts'
import { getBucketLocation } from '../files/files-location.ts'
import { readArchiveAddress, withArchiveFile } from './archive-argument.ts'
import { type Arguments, type Command, CommandError, requireNoPositionals, UsageError } from './command.ts'
import { formatCount } from './format-count.ts'
import { readPassphrase } from './passphrase.ts'
import { withoutServer } from './without-server.ts'

/** Returns the top-level entry of `folder` that contains `path`; an empty list if the path is elsewhere. */
function findTopLevelEntry(folder: string, path: string): string[] {
  const relativePath = relative(folder, path)
  const [first = ''] = relativePath.split(sep)
  return relativePath === '' || first === '..' || relativePath === path ? [] : [first]
}

function withLocks<R>({ DATA_DIR, DATABASE_DIRECT_URL }: Env, work: () => Promise<R>): Promise<R> {
  return withoutServer({ folder: DATA_DIR, postgres: DATABASE_DIRECT_URL }, 'restore a backup', work)
}

async function finish(env: Env): Promise<void> {
  const isDone = await withLocks(env, () =>
    finishRestore(env.DATA_DIR, env.DATABASE_DIRECT_URL ?? null, Date.now),
  )
  console.log(
    isDone
      ? 'The restore is complete. The next start builds the search index.'
      : 'The restore was interrupted too early to be finished, so it was undone. Run it again.',
  )
}

function printResult(env: Env, { manifest, aside, hasSecrets }: RestoreResult): void {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const missing = manifest.missingFiles.length
  const where = [
    ...(env.DATABASE_URL ? ['the database'] : []),
    env.DATA_DIR,
    ...(env.S3_BUCKET ? [`the bucket ${env.S3_BUCKET}`] : []),
  ]
  console.log(
    [
      `Restored into ${where.join(' and ')}: ${formatCount(rows, 'row')} and ${formatCount(manifest.files, 'file')} as they were on ${new Date(manifest.madeAt).toISOString()}.`,
      ...(aside ? [`The previous content is in ${aside}. Remove it when you no longer need it.`] : []),
      ...(aside && env.S3_BUCKET ? ['Files that were in the bucket before are still there.'] : []),
      ...(missing > 0 ? [`Files that were already missing when the backup was made: ${missing}.`] : []),
      hasSecrets
        ? 'The secrets come from the backup.'
        : 'The backup contains no secrets, so those of this installation are used.',
      'All users must sign in again. Pending invitations have expired, and waiting emails were dropped. The next start builds the search index.',
    ].join('\n'),
  )
}

async function restoreFrom(args: Arguments, env: Env): Promise<void> {
  const address = readArchiveAddress(args, env)
  const passphrase = readPassphrase(args, env)
  requireNoInterruptedRestore(env.DATA_DIR)
  const restored = await withLocks(env, () =>
    withArchiveFile(env, address, (path) =>
      restore({
        path,
        passphrase,
        folder: env.DATA_DIR,
        postgres: env.DATABASE_DIRECT_URL ?? null,
        bucket: getBucketLocation(env),
        shouldReplace: args.flags.has('replace'),
        namesToKeep: [
          ...(isS3Address(env.BACKUP_DIR) ? [] : findTopLevelEntry(env.DATA_DIR, env.BACKUP_DIR)),
          ...findTopLevelEntry(env.DATA_DIR, path),
        ],
        restoresSecrets: env.SECRETS_FILE === undefined,
        now: Date.now,
      }),
    ),
  )
  printResult(env, restored)
}

const expectedErrors = [CommandError, UsageError, RestoreInterrupted]

export const restoreCommand: Command = {
  name: 'restore',
  synopsis: '<file or s3://bucket/file> [--replace] [--passphrase-file <file>] | --finish',
  summary: 'restore a backup; the server must be stopped',
  details: [
    'Needs an empty data folder and, with DATABASE_URL or S3_BUCKET, an empty database or bucket. The whole backup is verified first.',
    '--replace           first move the current content of the data folder into a subfolder',
    '--finish            finish a restore that was interrupted',
    '--passphrase-file   the passphrase of an encrypted backup; the default is BACKUP_PASSPHRASE',
  ],
  options: ['passphrase-file'],
  flags: ['replace', 'finish'],
  async run(args) {
    const env = readEnv()
    try {
      if (args.flags.has('finish')) {
        requireNoPositionals(args)
        await finish(env)
      } else await restoreFrom(args, env)
      return 0
    } catch (error) {
      if (expectedErrors.some((kind) => error instanceof kind)) throw error
      requireNoInterruptedRestore(env.DATA_DIR)
      throw new CommandError(`Nothing was restored. ${describeFailure(error)}`)
    }
  },
}
