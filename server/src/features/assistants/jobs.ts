import * as z from 'zod'
import { defineJob } from '#jobs/define-job.ts'
import { ModelError } from '#providers/assistant/port.ts'
import type { Deps } from '../../deps.ts'
import { rememberMissing } from './missing-assistants.ts'
import { listUnlistedAssistantIds } from './store.ts'

/** The assistants of further channels are checked when they are used or edited. */
const maxChecked = 50
const timeLimitMs = 5000

/** Asks a new assistants server about the assistants of all channels, so that missing ones are known at once. */
export const checkAssistants = defineJob({
  name: 'assistants.check',
  payload: z.object({}),
  retryDelays: [],
  async handler(deps: Deps) {
    const { external } = deps.assistant
    if (!external) return
    const remembering = rememberMissing(deps, external)
    for (const id of await listUnlistedAssistantIds(deps.db, maxChecked)) {
      try {
        await remembering.find(id, AbortSignal.timeout(timeLimitMs))
      } catch (error) {
        // A server that does not answer says nothing about its assistants.
        if (error instanceof ModelError || (error instanceof DOMException && error.name === 'TimeoutError'))
          return
        throw error
      }
    }
  },
})

export const assistantsJobs = [checkAssistants]
