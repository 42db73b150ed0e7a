/** Waits that can be ended from outside. */
export interface CancellableWait<R> {
  /** Resolves with the result of `work`, or with that of `end` if it comes first. Does not stop the work. */
  wait<T>(work: Promise<T>): Promise<T | R>
  end(result: R): void
  fail(reason: unknown): void
}

/**
 * Supports one wait at a time. `Promise.race` against a long-lived promise would leak: that promise would keep a
 * reaction for every wait until it settles.
 */
export function createCancellableWait<R>(): CancellableWait<R> {
  let ended: Promise<R> | null = null
  let endCurrent: ((outcome: Promise<R>) => void) | null = null
  function finish(outcome: Promise<R>): void {
    outcome.catch(() => undefined)
    if (ended) return
    ended = outcome
    endCurrent?.(outcome)
    endCurrent = null
  }
  return {
    wait<T>(work: Promise<T>): Promise<T | R> {
      if (ended) {
        work.catch(() => undefined)
        return ended
      }
      return new Promise<T | R>((resolve, reject) => {
        endCurrent = resolve
        work.then(resolve, reject)
      })
    },
    end: (result) => finish(Promise.resolve(result)),
    fail: (reason) => finish(Promise.reject(reason)),
  }
}
