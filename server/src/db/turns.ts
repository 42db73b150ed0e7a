import { createTaskQueue, type RunTask } from '#lib/task-queue.ts'
import { createWaitingList, type Patience } from '#lib/waiting-list.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** Waiting costs no connection, so a burst may wait for longer than the pool allows. */
const patience: Patience = { burst: 400, inBurst: 10_000, afterBurst: 1500 }

/**
 * Runs a few transactions of this process at a time. For those that wait for each other's locks: more of them would only
 * occupy the connections that other requests need.
 */
export function createTurns(atOnce: number): RunTask {
  const message = 'Too many transactions wait for the same lock.'
  return createTaskQueue(
    atOnce,
    createWaitingList({ patience, createRefusal: () => new DatabaseUnavailable(new Error(message)) }),
  )
}
