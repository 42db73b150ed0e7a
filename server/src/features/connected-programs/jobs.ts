import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteOldClients } from './client-store.ts'
import { deleteExpired } from './store.ts'

const hour = 3_600_000
const day = 24 * hour

const sweep = defineJob({
  name: 'connected-programs.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  async handler({ db, now }: Deps) {
    // A code that is used again within a day still ends what it connected.
    await deleteExpired(db, { now: now(), codesBefore: now() - day })
    await deleteOldClients(db, { unusedSince: now() - day, disconnectedSince: now() - 90 * day })
  },
})

export const connectedProgramsJobs = [sweep]
