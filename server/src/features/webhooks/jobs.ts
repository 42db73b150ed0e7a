import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { deliverWebhook } from './deliver.ts'
import { deleteEndedDeliveries } from './store.ts'

const day = 86_400_000
/** How long deliveries that have ended are listed, in milliseconds. */
export const deliveryRetention = 30 * day

const sweepDeliveries = defineJob({
  name: 'webhooks.sweep',
  payload: z.object({}),
  retryDelays: [],
  every: day,
  handler: (deps: Deps) => deleteEndedDeliveries(deps.db, deps.now() - deliveryRetention),
})

export const webhooksJobs = [deliverWebhook, sweepDeliveries]
