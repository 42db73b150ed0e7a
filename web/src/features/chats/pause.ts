import { ApiError } from '#api/api-error.ts'

const shortestMs = 500
const longestMs = 10_000

/** Waits longer after each failure, but not past the moment the line comes back. Throws when nobody waits any more. */
export const pauseBeforeRetry = (failures: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer)
      removeEventListener('online', proceed)
      signal.removeEventListener('abort', giveUp)
      act()
    }
    const proceed = settle(resolve)
    const giveUp = settle(() => reject(new ApiError(0, 'aborted')))
    const timer = setTimeout(proceed, Math.min(longestMs, shortestMs * 2 ** failures))
    addEventListener('online', proceed)
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()
  })
