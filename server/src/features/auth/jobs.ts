import { expiryDaysMax } from '@lyceum/contract/two-factor'
import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteOldAttempts } from './attempt-store.ts'
import { deleteOldTrustedBrowsers, deleteUnusedKnownBrowsers } from './browser-store.ts'
import { deleteExpiredChallenges } from './challenge-store.ts'
import { deleteOldCounters } from './counter-store.ts'
import { deleteExpiredEmbeddedSignIns } from './embedded-store.ts'
import { knownBrowserLifetime } from './known-browsers.ts'
import { sendResetLink } from './reset-link.ts'
import { deleteOldResets } from './revoke-store.ts'
import { sessionIdleTimeout } from './sessions.ts'
import { deleteExpiredSessions } from './store.ts'
import { counterRetention } from './throttle.ts'

const hour = 3_600_000
const day = 24 * hour

/** Deletes only rows that have already expired, so no response depends on it. */
const sweep = defineJob({
  name: 'auth.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  async handler(deps: Deps) {
    const now = deps.now()
    await deleteExpiredSessions(deps.db, now, now - sessionIdleTimeout)
    await deleteExpiredEmbeddedSignIns(deps.db, now)
    for (const [kind, retention] of Object.entries(counterRetention))
      await deleteOldCounters(deps.db, kind, now - retention)
    await deleteOldAttempts(deps.db, now - 25 * hour)
    await deleteExpiredChallenges(deps.db, now)
    // Keep used and expired links for a week, so that they can still report why they do not work.
    await deleteOldResets(deps.db, now - 7 * day)
    await deleteUnusedKnownBrowsers(deps.db, now - knownBrowserLifetime)
    await deleteOldTrustedBrowsers(deps.db, now - expiryDaysMax * day)
  },
})

export const authJobs = [sweep, sendResetLink]
