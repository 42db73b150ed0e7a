import { revokedApiKeyDays } from '@lyceum/contract/api-keys'
import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deleteExpiredApiKeys, deleteRevokedApiKeys } from './store.ts'

const hour = 3_600_000
const day = 24 * hour

const sweep = defineJob({
  name: 'api-keys.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  async handler({ db, now }: Deps) {
    await deleteExpiredApiKeys(db, now())
    await deleteRevokedApiKeys(db, now() - revokedApiKeyDays * day)
  },
})

export const apiKeysJobs = [sweep]
