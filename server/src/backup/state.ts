import * as z from 'zod'
import type { Executor } from '#db/client.ts'
import { readSetting, writeSetting } from '../db/settings.ts'
import type { Deps } from '../deps.ts'
import { audit } from '../features/audit/append.ts'
import type { BackupMade } from './make-backup.ts'

const key = 'backups'

const storedState = z.object({
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
type StoredState = z.output<typeof storedState>

export interface BackupState extends StoredState {
  /** Milliseconds between scheduled backups; null if they are off. */
  every: number | null
  folder: string
  nextAt: number | null
  /** The last attempt failed, or the last success is older than two intervals. */
  isFailing: boolean
}

async function readStoredState(db: Executor): Promise<StoredState> {
  const read = storedState.safeParse(await readSetting(db, key))
  return read.success ? read.data : { lastSuccess: null, lastFailure: null }
}

/** The state that administrators see and that /readyz checks. */
export async function backupState({ db, env, now }: Pick<Deps, 'db' | 'env' | 'now'>): Promise<BackupState> {
  const { lastSuccess, lastFailure } = await readStoredState(db)
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

/** Throws when backups need attention. */
export async function requireBackups(deps: Pick<Deps, 'db' | 'env' | 'now'>): Promise<void> {
  const { isFailing, lastFailure } = await backupState(deps)
  if (isFailing) throw new Error(lastFailure?.reason ?? 'the last backup is too old')
}

type StateDeps = Pick<Deps, 'db' | 'now'> & Partial<Pick<Deps, 'log'>>

export function recordBackupMade(deps: StateDeps, made: BackupMade, isScheduled: boolean): Promise<void> {
  const { db, now } = deps
  return db.transaction().execute(async (tx) => {
    const { path, bytes, missingFiles, changedFiles, rows, files, isEncrypted, hasSecrets } = made
    const before = await readStoredState(tx)
    const lastSuccess = { at: now(), path, bytes, isScheduled, missingFiles, changedFiles }
    await writeSetting(tx, key, { ...before, lastSuccess }, now())
    await audit(deps, tx, {
      actor: null,
      action: 'backup.made',
      after: { path, bytes, rows, files, missingFiles, changedFiles, isEncrypted, hasSecrets, isScheduled },
    })
  })
}

/** Every failure is shown, but only the last of several attempts is audited. */
export function recordBackupFailure(deps: StateDeps, reason: string, isLastAttempt: boolean): Promise<void> {
  const { db, now } = deps
  return db.transaction().execute(async (tx) => {
    const before = await readStoredState(tx)
    await writeSetting(tx, key, { ...before, lastFailure: { at: now(), reason } }, now())
    if (isLastAttempt)
      await audit(deps, tx, { actor: null, action: 'backup.failed', result: 'failed', after: { reason } })
  })
}
