import * as z from 'zod'
import { defaultRetryDelays, defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteOldVisitors } from './delete-visitors.ts'

/** Runs once per UTC day; after downtime, as soon as the server runs again. */
const deleteVisitorsDaily = defineJob({
  name: 'embedding.delete-visitors',
  payload: z.object({}),
  retryDelays: defaultRetryDelays,
  every: 24 * 3_600_000,
  lane: 'long',
  handler: (deps: Deps, _payload, { signal }) => deleteOldVisitors(deps, signal),
})

export const embeddingJobs = [deleteVisitorsDaily]
