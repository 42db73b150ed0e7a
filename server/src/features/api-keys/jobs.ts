import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteExpiredApiKeys } from './store.ts'

const hour = 3_600_000

const sweep = defineJob({
  name: 'api-keys.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  handler: (deps: Deps) => deleteExpiredApiKeys(deps.db, deps.now()),
})

export const apiKeysJobs = [sweep]
