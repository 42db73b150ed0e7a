import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { clearIdempotencyKeys } from './store.ts'

const day = 86_400_000

const sweepInvitations = defineJob({
  name: 'invitations.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: 3_600_000,
  handler: (deps: Deps) => clearIdempotencyKeys(deps.db, deps.now() - day),
})

export const invitationsJobs = [sweepInvitations]
