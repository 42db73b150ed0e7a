import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { migrateAt, migrationState } from '#db/migrate.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import type { Deps } from '../deps.ts'
import { prepareBackupFolder, pruneBackups } from './backup-folder.ts'
import { backupName } from './backup-names.ts'
import { describeFailure } from './describe-failure.ts'
import { getDatabaseLocation, getFilesFolder } from './locations.ts'
import { makeBackup } from './make-backup.ts'
import { hasAnyUser } from './store.ts'

const maxUpgradeBackups = 3

/** The upgrade did not begin, and the database is unchanged. The message gives the reason in one sentence. */
export class UpgradeNotSafe extends Error {}

type UpgradeDeps = Pick<Deps, 'env' | 'db' | 'now'>

/** An upgrade that has begun: the migrations to run, and the backup that was made before them. */
const attempt = z.object({ pending: z.array(z.string()), backup: z.string() })

function attemptPath({ env }: UpgradeDeps): string {
  return join(env.DATA_DIR, 'upgrade-attempt.json')
}

function folderOf({ env }: UpgradeDeps): string {
  return join(env.BACKUP_DIR, 'before-upgrade')
}

/**
 * Whether an earlier attempt at the same upgrade failed and left its backup. The database has not changed since: a
 * failed migration leaves nothing behind, and every successful start deletes the attempt file.
 */
async function isBackedUp(deps: UpgradeDeps, pending: readonly string[]): Promise<boolean> {
  try {
    const earlier = attempt.parse(JSON.parse(await readFile(attemptPath(deps), 'utf8')))
    return earlier.pending.join() === pending.join() && existsSync(join(folderOf(deps), earlier.backup))
  } catch {
    // If the attempt file cannot be read, make another backup.
    return false
  }
}

/** Two starts within one second would otherwise choose the same name. */
function findFreeName(folder: string, at: number, isEncrypted: boolean): string {
  const name = backupName(at, isEncrypted)
  return existsSync(join(folder, name)) ? findFreeName(folder, at + 1000, isEncrypted) : name
}

function selectNewest(times: readonly number[]): Set<number> {
  return new Set(times.toSorted((a, b) => b - a).slice(0, maxUpgradeBackups))
}

async function backUp(deps: UpgradeDeps, pending: readonly string[]): Promise<void> {
  const { env, now } = deps
  const folder = folderOf(deps)
  const at = now()
  const passphrase = env.BACKUP_PASSPHRASE ?? null
  try {
    await prepareBackupFolder(folder, at)
    const backup = findFreeName(folder, at, passphrase !== null)
    await makeBackup(await createLocalFiles(getFilesFolder(env)), {
      database: getDatabaseLocation(env),
      path: join(folder, backup),
      passphrase,
      secretsFile: null,
      madeAt: at,
    })
    await writeFile(attemptPath(deps), `${JSON.stringify({ pending, backup })}\n`, {
      mode: 0o600,
      flush: true,
    })
    await pruneBackups(folder, selectNewest)
  } catch (cause) {
    throw new UpgradeNotSafe(
      `The database was not upgraded, because the backup before the upgrade failed: ${describeFailure(cause)} To upgrade without a backup, set BACKUP_BEFORE_UPGRADE=false.`,
      { cause },
    )
  }
}

/**
 * Upgrades the schema. If the installation has users, it is backed up first. A retry after a failed attempt makes no
 * second backup, so that retries never push older backups out of the folder.
 */
export async function upgrade(deps: UpgradeDeps): Promise<string[]> {
  const { pending, isNewer } = await migrationState(deps.db)
  const isUpgrade = !isNewer && pending.length > 0 && deps.env.BACKUP_BEFORE_UPGRADE
  if (isUpgrade && !(await isBackedUp(deps, pending)) && (await hasUsers(deps))) await backUp(deps, pending)
  const steps = await migrateAt(getDatabaseLocation(deps.env))
  await rm(attemptPath(deps), { force: true })
  return steps
}

async function hasUsers({ db }: UpgradeDeps): Promise<boolean> {
  // Before the first migration there is no table to read.
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === 'users') && hasAnyUser(db)
}
