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
  let written = 0
  let next = performance.now() + writeIntervalMs
  return {
    report(percent) {
      const whole = Math.min(100, Math.max(0, Math.floor(percent)))
      if (isWriting || whole <= written || performance.now() < next) return
      isWriting = true
      writing = setIndexPercent(deps.db, versionId, phase, whole)
        .then(() => {
          written = whole
        })
        .catch((error: unknown) =>
          deps.log.warn({ err: error, versionId }, 'could not store indexing progress'),
        )
        .finally(() => {
          isWriting = false
          next = performance.now() + writeIntervalMs
        })
    },
    settle: () => writing,
  }
}
