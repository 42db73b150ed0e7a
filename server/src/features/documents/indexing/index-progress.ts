import type { Deps } from '../../../deps.ts'
import { setIndexPercent } from '../store.ts'

const writeIntervalMs = 500

export interface Progress {
  report(percent: number): void
  /** Resolves when the pending write is done, so that it cannot overwrite a later state. */
  settle(): Promise<void>
}

/** Stores the progress of a phase at most twice a second. A failed write is only logged. */
export function createProgress(deps: Deps, versionId: string, phase: 'extracting' | 'embedding'): Progress {
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false
  let storedPercent = 0
  let nextWriteAt = performance.now() + writeIntervalMs
  return {
    report(percent) {
      const wholePercent = Math.min(100, Math.max(0, Math.floor(percent)))
      if (isWriting || wholePercent <= storedPercent || performance.now() < nextWriteAt) return
      isWriting = true
      writing = setIndexPercent(deps.db, versionId, phase, wholePercent)
        .then(() => {
          storedPercent = wholePercent
        })
        .catch((error: unknown) =>
          deps.log.warn({ err: error, versionId }, 'could not store indexing progress'),
        )
        .finally(() => {
          isWriting = false
          nextWriteAt = performance.now() + writeIntervalMs
        })
    },
    settle: () => writing,
  }
}
