import type { RateClass } from '@lyceum/contract/endpoint'
import { AppError } from '../errors.ts'

interface Limit {
  /** Requests. */
  count: number
  /** Milliseconds. */
  window: number
}

const minute = 60_000
const hour = 60 * minute

/** Per user when signed in, otherwise per network: docs/security.md, "Limits". */
const limits: Record<RateClass, readonly Limit[]> = {
  read: [{ count: 300, window: minute }],
  write: [{ count: 60, window: minute }],
  'sign-in': [{ count: 60, window: minute }],
  link: [{ count: 30, window: minute }],
  forgot: [{ count: 10, window: hour }],
  message: [
    { count: 20, window: minute },
    { count: 200, window: hour },
  ],
  stream: [{ count: 120, window: minute }],
  // For users without `canUploadDocuments`. `uploaderLimits` applies to the others.
  upload: [{ count: 20, window: hour }],
  history: [{ count: 30, window: minute }],
  export: [{ count: 10, window: hour }],
}

const uploaderLimits: readonly Limit[] = [{ count: 500, window: hour }]

interface Counter {
  count: number
  endsAt: number
}

export interface RateLimiter {
  /** Throws `rate.limited` when the caller has used up the limits of this class. */
  consume(limitClass: RateClass, caller: string, options?: { canUploadDocuments?: boolean }): void
  close(): void
}

/**
 * Counts in memory, because these limits only bound load. Limits that protect against guessing are counted in the
 * database (docs/decisions/0007).
 */
export function createRateLimiter(scale: number, now: () => number): RateLimiter {
  const counters = new Map<string, Counter>()
  const sweep = setInterval(() => {
    const time = now()
    for (const [key, counter] of counters) if (counter.endsAt <= time) counters.delete(key)
  }, minute)
  sweep.unref()

  function consumeOne(key: string, { count, window }: Limit): void {
    const time = now()
    const counter = counters.get(key)
    if (!counter || counter.endsAt <= time || counter.endsAt > time + window) {
      counters.set(key, { count: 1, endsAt: time + window })
      return
    }
    counter.count += 1
    if (counter.count > count * scale)
      throw new AppError('rate.limited', { retryAfter: Math.ceil((counter.endsAt - time) / 1000) })
  }

  return {
    consume(limitClass, caller, options = {}) {
      const applicable =
        limitClass === 'upload' && options.canUploadDocuments ? uploaderLimits : limits[limitClass]
      for (const limit of applicable) consumeOne(`${limitClass}|${limit.window}|${caller}`, limit)
    },
    close: () => clearInterval(sweep),
  }
}
