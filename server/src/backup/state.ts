import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import { readSetting, writeSetting } from '../db/settings.ts'
import type { Deps } from '../deps.ts'
import { audit } from '../features/audit/append.ts'
import type { BackupMade } from './make-backup.ts'

const key = 'backups'

const kept = z.object({
  lastSuccess: z
    .object({
      at: z.int(),
      path: z.string(),
      bytes: z.int(),
      isScheduled: z.boolean(),
      missingFiles: z.int(),
      changedFiles: z.int(),
    })
    .nullable(),
  lastFailure: z.object({ at: z.int(), reason: z.string() }).nullable(),
})
type Kept = z.output<typeof kept>

export interface BackupState extends Kept {
  /** Milliseconds between two backups by schedule; null when it is off. */
  every: number | null
  folder: string
  /** When the next one is made. */
  nextAt: number | null
  /** The last try failed, or none has succeeded for two times its interval. */
  isFailing: boolean
}

async function readKept(db: Executor): Promise<Kept> {
  const read = kept.safeParse(await readSetting(db, key))
  return read.success ? read.data : { lastSuccess: null, lastFailure: null }
}

/** How it stands with backups, for administrators and for /readyz. */
export async function backupState({ db, env, now }: Pick<Deps, 'db' | 'env' | 'now'>): Promise<BackupState> {
  const { lastSuccess, lastFailure } = await readKept(db)
  const every = env.BACKUP_EVERY
  const isOverdue = every !== null && lastSuccess !== null && now() - lastSuccess.at > 2 * every
  return {
    lastSuccess,
    lastFailure,
    every,
    folder: env.BACKUP_DIR,
    nextAt: every === null ? null : (Math.floor(now() / every) + 1) * every,
    isFailing: isOverdue || (lastFailure !== null && lastFailure.at >= (lastSuccess?.at ?? 0)),
  }
}

/** Throws when an administrator should look. */
export async function requireBackups(deps: Pick<Deps, 'db' | 'env' | 'now'>): Promise<void> {
  const { isFailing, lastFailure } = await backupState(deps)
  if (isFailing) throw new Error(lastFailure?.reason ?? 'the last backup is too old')
}

type Noting = Pick<Deps, 'db' | 'now'>

export function noteMade({ db, now }: Noting, made: BackupMade, isScheduled: boolean): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { path, bytes, missingFiles, changedFiles, rows, files, isEncrypted, hasSecrets } = made
    const before = await readKept(tx)
    const lastSuccess = { at: now(), path, bytes, isScheduled, missingFiles, changedFiles }
    await writeSetting(tx, key, { ...before, lastSuccess }, now())
    await audit({ now }, tx, {
      actor: null,
      action: 'backup.made',
      after: { path, bytes, rows, files, missingFiles, changedFiles, isEncrypted, hasSecrets, isScheduled },
    })
  })
}

/** Each failure is shown; only the last of several tries is entered in the audit log. */
export function noteFailed({ db, now }: Noting, reason: string, isLastTry: boolean): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const before = await readKept(tx)
    await writeSetting(tx, key, { ...before, lastFailure: { at: now(), reason } }, now())
    if (isLastTry)
      await audit({ now }, tx, { actor: null, action: 'backup.failed', result: 'failed', after: { reason } })
  })
}
