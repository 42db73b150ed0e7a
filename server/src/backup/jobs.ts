import { join } from 'node:path'
import * as z from 'zod'
import type { Deps } from '../deps.ts'
import type { Env } from '../env.ts'
import { defineJob, type JobContext, type RunnableJob } from '../jobs/define-job.ts'
import { backupInChild } from './backup-child.ts'
import { prepareBackupFolder, pruneBackups } from './backup-folder.ts'
import { backupName, keptTimes } from './backup-names.ts'
import { describeFailure } from './describe-failure.ts'
import { filesOf, recordsOf } from './places.ts'
import { backupState, noteFailed, noteMade } from './state.ts'
import { hasPeople } from './store.ts'

const retries = [5 * 60_000, 15 * 60_000] as const

/** A start soon after a backup, or between two slots, does not make another one. */
async function isDue(deps: Deps): Promise<boolean> {
  const { lastSuccess, every } = await backupState(deps)
  return every !== null && (lastSuccess === null || deps.now() - lastSuccess.at > every / 2)
}

async function makeKept({ env, now }: Deps, signal: AbortSignal) {
  const at = now()
  const passphrase = env.BACKUP_PASSPHRASE ?? null
  await prepareBackupFolder(env.BACKUP_DIR, at)
  const made = await backupInChild(
    {
      database: recordsOf(env),
      filesFolder: filesOf(env),
      path: join(env.BACKUP_DIR, backupName(at, passphrase !== null)),
      passphrase,
      secretsFile: null,
      madeAt: at,
    },
    signal,
  )
  await pruneBackups(env.BACKUP_DIR, keptTimes)
  return made
}

/** Servers of this process that are making one: a second try may come due together with the next hour's. */
const atWork = new WeakSet<Deps['db']>()

async function runScheduled(deps: Deps, context: JobContext): Promise<void> {
  if (!(await hasPeople(deps.db)) || !(await isDue(deps))) return
  if (atWork.has(deps.db)) return
  atWork.add(deps.db)
  try {
    await makeAndNote(deps, context, true)
  } finally {
    atWork.delete(deps.db)
  }
}

async function makeAndNote(
  deps: Deps,
  { isLastAttempt, signal }: JobContext,
  isScheduled: boolean,
): Promise<void> {
  try {
    await noteMade(deps, await makeKept(deps, signal), isScheduled)
  } catch (error) {
    if (signal.aborted) throw error
    const reason = describeFailure(error)
    await noteFailed(deps, reason, isLastAttempt)
    deps.log.error({ reason }, 'a backup failed')
    // After the last try the next slot is waited for; what was wrong is on the settings page.
    if (!isLastAttempt) throw error
  }
}

/** One that somebody asked for, whatever the schedule says. What became of it stands on the settings page. */
export const backupNow = defineJob({
  name: 'backup.now',
  payload: z.object({}),
  retryDelays: [],
  async handler(deps: Deps, _payload, context) {
    if (atWork.has(deps.db)) return
    atWork.add(deps.db)
    try {
      await makeAndNote(deps, context, false)
    } finally {
      atWork.delete(deps.db)
    }
  },
})

/** The backup by schedule, where there is one. It is no long job: a thousand documents must not hold it up. */
export function backupJobs({ BACKUP_EVERY: every }: Pick<Env, 'BACKUP_EVERY'>): RunnableJob<Deps>[] {
  return every === null
    ? [backupNow]
    : [
        backupNow,
        defineJob({
          name: 'backup.scheduled',
          payload: z.object({}),
          retryDelays: retries,
          every,
          handler: (deps: Deps, _payload, context) => runScheduled(deps, context),
        }),
      ]
}
