import { setTimeout } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import { type Build, findBuildSource } from './passage-store.ts'

const checkIntervalMs = 1000

/** The document was deleted or another build is already active, so there is nothing left to do. */
export class SupersededError extends Error {}

/**
 * Returns a signal that aborts once the document is deleted or a newer version of it is approved. Asking the database
 * covers every way in which that can happen, in this process or in another.
 */
export function abortWhenSuperseded(deps: Deps, build: Build): { signal: AbortSignal; stop: () => void } {
  const superseded = new AbortController()
  const stopped = new AbortController()

  async function check(): Promise<void> {
    while (!superseded.signal.aborted) {
      await setTimeout(checkIntervalMs, undefined, { signal: stopped.signal })
      const source = await findBuildSource(deps.db, build).catch((error: unknown) => {
        deps.log.warn(
          { err: error, documentId: build.documentId },
          'could not check if a document is still needed',
        )
        return null
      })
      if (source === undefined) superseded.abort(new SupersededError())
    }
  }

  // Rejects only when it is stopped.
  check().catch(() => undefined)
  return { signal: superseded.signal, stop: () => stopped.abort() }
}
