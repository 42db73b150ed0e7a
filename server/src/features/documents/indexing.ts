import type { Deps } from '../../deps.ts'
import { completeIndex } from './jobs.ts'

/** Asks for the index to be brought in step with the records: in the background, so that a start never waits for it. */
export function refillIndex(deps: Deps): Promise<void> {
  return deps.db.transaction().execute((tx) => deps.jobs.add(tx, completeIndex, {}))
}
