import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import type { Deps } from '../../deps.ts'
import { audit } from './append.ts'
import { deleteUntil, lastOverdue, lockAuditLog } from './store.ts'

const day = 86_400_000
/** How long an entry is kept, in milliseconds. */
export const auditKeptFor = 400 * day
const entriesPerStep = 500

/** The oldest entries go, and an entry that names the last of them stands for them in the chain. */
function purgeStep(deps: Deps): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAuditLog(tx)
    const last = await lastOverdue(tx, deps.now() - auditKeptFor, entriesPerStep)
    if (!last) return false
    // Entered before they go: it follows on the end of the log, which may be the last of them.
    await audit(deps, tx, { actor: null, action: 'audit.purged', after: { ...last } })
    await deleteUntil(tx, last.seq, deps.now())
    return last.entries === entriesPerStep
  })
}

const purgeAuditLog = defineJob({
  name: 'audit.purge',
  payload: z.object({}),
  retryDelays: [],
  every: day,
  async handler(deps: Deps, _payload, { signal }) {
    while (await purgeStep(deps)) {
      signal.throwIfAborted()
      await setImmediate()
    }
  },
})

export const auditJobs = [purgeAuditLog]
