import type { WaitingList } from './waiting-list.ts'

export type RunTask = <R>(task: () => Promise<R>) => Promise<R>

/** Runs a few tasks at the same time. The others wait in the list. */
export function createTaskQueue(atOnce: number, waiting: WaitingList): RunTask {
  let running = 0
  return async (task) => {
    if (running < atOnce) running += 1
    else await waiting.wait()
    try {
      return await task()
    } finally {
      // The next task takes over the place, so that a new one cannot come between.
      if (!waiting.callNext()) running -= 1
    }
  }
}
