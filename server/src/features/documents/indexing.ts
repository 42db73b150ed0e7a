import type { Deps } from '../../deps.ts'
import { completeIndex } from './jobs.ts'

/** Asks for the index to be brought in step with the records: in the background, so that a start never waits for it. */
export const refillIndex = (deps: Deps): Promise<void> =>
  deps.db.transaction().execute((tx) => deps.jobs.add(tx, completeIndex, {}))
