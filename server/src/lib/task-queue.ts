interface Limits {
  /** Tasks that run at the same time. */
  atOnce: number
  /** Tasks that may wait for their turn. */
  maxWaiting: number
  /** Milliseconds a task may wait; no limit by default. */
  maxWaitMs?: number
  /** Creates the error for a task that cannot wait, or has waited too long. */
  createRefusal: () => Error
}

export type RunTask = <R>(task: () => Promise<R>) => Promise<R>

/** Runs a few tasks at a time, in the order in which they came. */
export function createTaskQueue({ atOnce, maxWaiting, maxWaitMs, createRefusal }: Limits): RunTask {
  let running = 0
  const waiting = new Set<() => void>()

  function waitForTurn(): Promise<void> {
    if (waiting.size >= maxWaiting) return Promise.reject(createRefusal())
    return new Promise((resolve, reject) => {
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs)
      function begin(): void {
        clearTimeout(timer)
        resolve()
      }
      function giveUp(): void {
        waiting.delete(begin)
        reject(createRefusal())
      }
      waiting.add(begin)
    })
  }

  return async (task) => {
    if (running < atOnce) running += 1
    else await waitForTurn()
    try {
      return await task()
    } finally {
      // The next task takes over the place, so that a new one cannot come between.
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else running -= 1
    }
  }
}
