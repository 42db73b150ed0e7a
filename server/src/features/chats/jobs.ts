import * as z from 'zod'
import { defaultRetryDelays, defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { removeForgottenAttachments } from './attachments/forgotten-attachments.ts'
import { clearIdempotencyKeys } from './messages/message-store.ts'
import { interruptLostReplies } from './replies/reply-manager.ts'
import { applyRetention } from './retention/retention.ts'
import { nameChat } from './titles/name-chat.ts'

const hour = 3_600_000
const keyLifetime = 24 * hour

/** Ends replies whose node has died. */
const sweepReplies = defineJob({
  name: 'chats.sweep-replies',
  payload: z.object({}),
  retryDelays: [],
  every: 30_000,
  async handler(deps: Deps) {
    await interruptLostReplies(deps)
  },
})

const clearOldKeys = defineJob({
  name: 'chats.forget-keys',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  async handler(deps: Deps) {
    await clearIdempotencyKeys(deps.db, deps.now() - keyLifetime)
  },
})

const removeForgottenFiles = defineJob({
  name: 'chats.remove-unsent-files',
  payload: z.object({}),
  retryDelays: [],
  every: hour,
  handler: (deps: Deps, _payload, { signal }) => removeForgottenAttachments(deps, signal),
})

/** Runs once per UTC day; after downtime, as soon as the server runs again. */
const applyRetentionDaily = defineJob({
  name: 'chats.apply-retention',
  payload: z.object({}),
  retryDelays: defaultRetryDelays,
  every: 24 * hour,
  lane: 'long',
  // One setting holds the counts of the run.
  alone: 'retention',
  handler: (deps: Deps, _payload, { signal }) => applyRetention(deps, signal),
})

export const chatsJobs = [sweepReplies, clearOldKeys, removeForgottenFiles, applyRetentionDaily, nameChat]
