import { join } from 'node:path'
import { migrate, migrationState } from '#db/migrate.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import type { Deps } from '../deps.ts'
import { prepareBackupFolder, pruneBackups } from './backup-folder.ts'
import { backupName } from './backup-names.ts'
import { failureWords } from './failure-words.ts'
import { makeBackup } from './make-backup.ts'
import { filesOf, recordsOf } from './places.ts'
import { hasPeople } from './store.ts'

const keptBeforeUpgrade = 3

/** The records were left as they were; the message says why in one sentence. */
export class UpgradeNotSafe extends Error {}

type Records = Pick<Deps, 'env' | 'db' | 'now'>

const newest = (times: readonly number[]): Set<number> =>
  new Set(times.toSorted((a, b) => b - a).slice(0, keptBeforeUpgrade))

const backUp = async ({ env, now }: Records): Promise<void> => {
  const folder = join(env.BACKUP_DIR, 'before-upgrade')
  const at = now()
  const passphrase = env.BACKUP_PASSPHRASE ?? null
  try {
    await prepareBackupFolder(folder, at)
    await makeBackup(await createLocalFiles(filesOf(env)), {
      database: recordsOf(env),
      path: join(folder, backupName(at, passphrase !== null)),
      passphrase,
      secretsFile: null,
      madeAt: at,
    })
    await pruneBackups(folder, newest)
  } catch (cause) {
    throw new UpgradeNotSafe(
      `The database was not brought up to date, because the backup before it failed: ${failureWords(cause)} Set BACKUP_BEFORE_UPGRADE=false to go on without one.`,
      { cause },
    )
  }
}

/** Brings the schema up to date; an installation in use is backed up first, so that there is a way back. */
export const upgrade = async (records: Records): Promise<string[]> => {
  const { pending, isNewer } = await migrationState(records.db)
  const isUpgrade = !isNewer && pending.length > 0 && records.env.BACKUP_BEFORE_UPGRADE
  if (isUpgrade && (await isInUse(records))) await backUp(records)
  return migrate(records.db)
}

/** Before the first step there are no tables to ask. */
const isInUse = async ({ db }: Records): Promise<boolean> => {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === 'users') && hasPeople(db)
}
