import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { audit } from './append.ts'
import { deleteUntil, findLastExpired, lockAuditLog } from './store.ts'
import { findLowestPosition } from './stream/receiver-store.ts'

const day = 86_400_000
/** How long entries are kept, in milliseconds. */
export const auditRetention = 400 * day
const entriesPerBatch = 500

/**
 * Deletes one batch of expired entries that all receivers have got. A new entry records the hash of the last deleted
 * one, so that the rest of the chain can still be verified.
 */
function purgeBatch(deps: Deps): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAuditLog(tx)
    const last = await findLastExpired(tx, {
      before: deps.now() - auditRetention,
      lastSeq: await findLowestPosition(tx),
      limit: entriesPerBatch,
    })
    if (!last) return false
    // Write this entry before deleting: its predecessor, the end of the log, may be among the deleted entries.
    await audit(deps, tx, { actor: null, action: 'audit.purged', after: { ...last } })
    await deleteUntil(tx, last.seq, deps.now())
    return last.entries === entriesPerBatch
  })
}

const purgeAuditLog = defineJob({
  name: 'audit.purge',
  payload: z.object({}),
  retryDelays: [],
  every: day,
  async handler(deps: Deps, _payload, { signal }) {
    while (await purgeBatch(deps)) {
      signal.throwIfAborted()
      await setImmediate()
    }
  },
})

export const auditJobs = [purgeAuditLog]
