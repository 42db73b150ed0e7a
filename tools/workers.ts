import { availableParallelism } from 'node:os'

/** How many processes a run may use at a time: TEST_WORKERS, else one per core. */
export function getWorkerCount(max = Number.POSITIVE_INFINITY): number {
  const count = Number(process.env['TEST_WORKERS'] ?? availableParallelism())
  if (!Number.isInteger(count) || count < 1)
    throw new Error('TEST_WORKERS must be a whole number of at least 1')
  return Math.min(count, max)
}
