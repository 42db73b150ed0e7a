import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import { ModelError } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { readMissingAssistants, rememberMissing } from './missing-assistants.ts'
import { listUnlistedAssistantIds } from './store.ts'

/** The time between two checks. */
export const checkIntervalMs = 300_000
/** The assistants of further channels are checked when they are used or edited. */
const maxChecked = 50
const maxListed = 500
const timeLimitMs = 15_000

/** Missing assistants first: their channels cannot be used before they are found. */
async function listAssistantsToCheck(deps: Deps): Promise<string[]> {
  const ids = await listUnlistedAssistantIds(deps.db, maxListed)
  const missing = await readMissingAssistants(deps)
  return [...ids.filter((id) => missing.has(id)), ...ids.filter((id) => !missing.has(id))].slice(
    0,
    maxChecked,
  )
}

/**
 * Asks the assistants server about the assistants of all channels, so that lists and chats know which are missing. Runs
 * when the connection changes, and regularly, because the server may have been away then, or lost or gained assistants.
 */
export const checkAssistants = defineJob({
  name: 'assistants.check',
  payload: z.object({}),
  retryDelays: [],
  every: checkIntervalMs,
  async handler(deps: Deps, _payload, { signal }) {
    const { external } = deps.assistant
    if (!external) return
    const remembering = rememberMissing(deps, external)
    const timeout = AbortSignal.timeout(timeLimitMs)
    for (const id of await listAssistantsToCheck(deps)) {
      try {
        await remembering.find(id, AbortSignal.any([signal, timeout]))
      } catch (error) {
        // A server that does not answer says nothing about its assistants.
        if (error instanceof ModelError || timeout.aborted) return
        throw error
      }
    }
  },
})

export const assistantsJobs = [checkAssistants]
