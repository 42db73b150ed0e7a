import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { MigrationFailed, migrateAt, migrationState, readLastMigrationTime } from '#db/migrate.ts'
import { openArchives } from '#providers/archives/open-archives.ts'
import type { ArchiveStore } from '#providers/archives/port.ts'
import type { Deps } from '../deps.ts'
import { openStoredFiles } from '../files/files-location.ts'
import { getArchivesLocation } from './archives-location.ts'
import { pruneBackups } from './backup-folder.ts'
import { backupName } from './backup-names.ts'
import { describeFailure } from './describe-failure.ts'
import { getDatabaseLocation } from './locations.ts'
import { makeBackup } from './make-backup.ts'
import { hasAnyUser } from './store.ts'
import { findBackupOf, forgetAttempt, readDataMark, recordAttempt } from './upgrade-attempt.ts'

const maxUpgradeBackups = 3
/** Milliseconds after an upgrade during which an operator may still want to go back. */
const pruneDelay = 24 * 3_600_000

/** The upgrade did not begin, and the database is unchanged. The message gives the reason in one sentence. */
export class UpgradeNotSafe extends Error {}

/** A migration failed, and the database is unchanged. The message says why, where the backup is and what to do. */
export class UpgradeFailed extends Error {}

type UpgradeDeps = Pick<Deps, 'env' | 'db' | 'now'>

function openUpgradeArchives({ env }: Pick<Deps, 'env'>): Promise<ArchiveStore> {
  return openArchives(getArchivesLocation(env, 'before-upgrade'))
}

/** Two starts within one second would otherwise choose the same name. */
async function findFreeName(archives: ArchiveStore, at: number, isEncrypted: boolean): Promise<string> {
  const name = backupName(at, isEncrypted)
  return (await archives.has(name)) ? findFreeName(archives, at + 1000, isEncrypted) : name
}

/**
 * Backs up the installation and returns the path. A retry of a failed upgrade reuses its backup, unless an earlier
 * version has run in between: retries fill no disk, and the backup has all data.
 */
async function backUp(deps: UpgradeDeps): Promise<string> {
  const { env, db, now } = deps
  const passphrase = env.BACKUP_PASSPHRASE ?? null
  try {
    const data = await readDataMark(db)
    const archives = await openUpgradeArchives(deps)
    const existing = await findBackupOf(env.DATA_DIR, archives, data)
    if (existing !== null) return archives.locate(existing)
    // This process holds the lock of the installation, so no other one is writing an incomplete file.
    await archives.discardAbandoned(() => true)
    const at = now()
    const backup = await findFreeName(archives, at, passphrase !== null)
    await recordAttempt(env.DATA_DIR, { backup, data })
    const made = await makeBackup(await openStoredFiles(env), archives, {
      database: getDatabaseLocation(env),
      name: backup,
      passphrase,
      secretsFile: null,
      madeAt: at,
    })
    return made.path
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause
    throw new UpgradeNotSafe(
      `The database was not upgraded, because the backup before the upgrade failed: ${describeFailure(cause)} To upgrade without a backup, set BACKUP_BEFORE_UPGRADE=false.`,
      { cause },
    )
  }
}

function describeFailedUpgrade({ message }: MigrationFailed, backup: string | null): string {
  const where = backup === null ? '' : ` The backup made before the upgrade is ${backup}.`
  return `The database was not upgraded, because ${message}. All data is as before.${where} If you cannot remove the reason, start the previous version again to keep working, and report this message.`
}

/**
 * Upgrades the schema. If the installation has users, it is backed up first. The caller holds the locks of the data
 * folder and of the database, so no earlier version is running and contract steps run too.
 */
export async function upgrade(deps: UpgradeDeps): Promise<string[]> {
  const { DATA_DIR, BACKUP_BEFORE_UPGRADE } = deps.env
  const { pending, uncontracted, isNewer } = await migrationState(deps.db)
  const isUpgrade = !isNewer && pending.length + uncontracted.length > 0
  const needsBackup = isUpgrade && BACKUP_BEFORE_UPGRADE && (await hasUsers(deps))
  const backup = needsBackup ? await backUp(deps) : null
  try {
    const steps = isUpgrade || isNewer ? await migrateAt(getDatabaseLocation(deps.env)) : []
    await forgetAttempt(DATA_DIR)
    return steps
  } catch (cause) {
    if (!(cause instanceof MigrationFailed)) throw cause
    throw new UpgradeFailed(describeFailedUpgrade(cause, backup), { cause })
  }
}

async function hasUsers({ db }: UpgradeDeps): Promise<boolean> {
  // Before the first migration there is no table to read.
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === 'users') && hasAnyUser(db)
}

function selectNewest(times: readonly number[]): Set<number> {
  return new Set(times.toSorted((a, b) => b - a).slice(0, maxUpgradeBackups))
}

/**
 * Deletes old backups from before upgrades. Runs in the upgraded server, and not before it has been in use for a day:
 * until then, every backup that a failed or a bad upgrade left may be needed to go back.
 */
export async function pruneUpgradeBackups(deps: UpgradeDeps): Promise<void> {
  const upgradedAt = await readLastMigrationTime(deps.db)
  if (upgradedAt === null || deps.now() - upgradedAt < pruneDelay) return
  await pruneBackups(await openUpgradeArchives(deps), selectNewest)
}
