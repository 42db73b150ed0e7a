import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteExpired } from './store.ts'

const hour = 3_600_000

const sweep = defineJob({
  name: 'single-sign-on.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  handler: (deps: Deps) => deleteExpired(deps.db, deps.now()),
})

export const singleSignOnJobs = [sweep]
