import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteExpiredSessions, deleteOldCounters } from './store.ts'

const day = 86_400_000

const sweepSessions = defineJob({
  name: 'auth.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: 3_600_000,
  async handler(deps: Deps) {
    await deleteExpiredSessions(deps.db, deps.now())
    await deleteOldCounters(deps.db, deps.now() - day)
  },
})

export const authJobs = [sweepSessions]
