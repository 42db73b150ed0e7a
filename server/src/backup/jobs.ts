import * as z from 'zod'
import { openArchives } from '#providers/archives/open-archives.ts'
import type { Deps } from '../deps.ts'
import type { Env } from '../env.ts'
import { getFilesLocation } from '../files/files-location.ts'
import { defineJob, type JobContext, type RunnableJob } from '../jobs/define-job.ts'
import { getArchivesLocation } from './archives-location.ts'
import { backupInChild } from './backup-child.ts'
import { pruneBackups } from './backup-folder.ts'
import { backupName, selectTimesToKeep } from './backup-names.ts'
import { pruneUpgradeBackups } from './before-upgrade.ts'
import { describeFailure } from './describe-failure.ts'
import { getDatabaseLocation } from './locations.ts'
import { backupState, recordBackupFailure, recordBackupMade } from './state.ts'
import { hasAnyUser } from './store.ts'

const hour = 3_600_000
const scheduledRetryDelays = [5 * 60_000, 15 * 60_000] as const

/** A retry can come due at the same time as the next scheduled run or a requested one, also on another server. */
const alone = 'backup'

/** Longer than any backup takes. */
const abandonedAfter = 24 * hour

/** False shortly after a backup, for example when the server restarts between two scheduled runs. */
async function isDue(deps: Deps): Promise<boolean> {
  const { lastSuccess, every } = await backupState(deps)
  return every !== null && (lastSuccess === null || deps.now() - lastSuccess.at > every / 2)
}

async function makeAndPrune({ env, now }: Deps, signal: AbortSignal) {
  const at = now()
  const passphrase = env.BACKUP_PASSPHRASE ?? null
  const location = getArchivesLocation(env)
  const archives = await openArchives(location)
  await archives.discardAbandoned((changedAt) => at - changedAt > abandonedAfter)
  const made = await backupInChild(
    {
      database: getDatabaseLocation(env),
      files: getFilesLocation(env),
      archives: location,
      name: backupName(at, passphrase !== null),
      passphrase,
      secretsFile: null,
      madeAt: at,
    },
    signal,
  )
  await pruneBackups(archives, selectTimesToKeep)
  return made
}

async function runScheduled(deps: Deps, context: JobContext): Promise<void> {
  if ((await hasAnyUser(deps.db)) && (await isDue(deps))) await makeAndRecord(deps, context, true)
}

async function makeAndRecord(
  deps: Deps,
  { isLastAttempt, signal }: JobContext,
  isScheduled: boolean,
): Promise<void> {
  try {
    await recordBackupMade(deps, await makeAndPrune(deps, signal), isScheduled)
  } catch (error) {
    if (signal.aborted) throw error
    const reason = describeFailure(error)
    await recordBackupFailure(deps, reason, isLastAttempt)
    deps.log.error({ reason }, 'backup failed')
    // After the last attempt, wait for the next scheduled run. The settings page shows the failure.
    if (!isLastAttempt) throw error
  }
}

/** A backup on request, independent of the schedule. The settings page shows its outcome. */
export const backupNow = defineJob({
  name: 'backup.now',
  payload: z.object({}),
  retryDelays: [],
  alone,
  handler: (deps: Deps, _payload, context) => makeAndRecord(deps, context, false),
})

const pruneOldUpgradeBackups = defineJob({
  name: 'backup.prune-upgrades',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  handler: (deps: Deps) => pruneUpgradeBackups(deps),
})

/** The scheduled backup is not marked as a long job, so that it does not wait behind a thousand documents. */
export function backupJobs({ BACKUP_EVERY: every }: Pick<Env, 'BACKUP_EVERY'>): RunnableJob<Deps>[] {
  const always = [backupNow, pruneOldUpgradeBackups]
  return every === null
    ? always
    : [
        ...always,
        defineJob({
          name: 'backup.scheduled',
          payload: z.object({}),
          retryDelays: scheduledRetryDelays,
          every,
          alone,
          handler: (deps: Deps, _payload, context) => runScheduled(deps, context),
        }),
      ]
}
