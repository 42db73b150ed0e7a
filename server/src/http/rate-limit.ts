import type { RateClass } from '@lyceum/contract/endpoint'
import type { Logger } from 'pino'
import { AppError } from '../errors.ts'
import type { CallerCount, SharedCounters } from './shared-counters.ts'

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
  /** Of this server and, in a cluster, of the others as far as this one knows. */
  count: number
  endsAt: number
  /** The part of `count` that was counted here and not yet shared. */
  unshared: number
}

export interface RateLimiter {
  /** Throws `rate.limited` when the caller has used up the limits of this class. */
  consume(limitClass: RateClass, caller: string, options?: { canUploadDocuments?: boolean }): void
  close(): void
}

interface Options {
  /** Multiplies all limits. */
  scale: number
  now: () => number
  /** Null when this is the only server. */
  shared: SharedCounters | null
  log: Logger
}

const exchangeMs = 1000
/** A caller who has used up less than this part of a limit is not worth a row in the database. */
const sharedFrom = 1 / 8
/** Counters exchanged in one statement. */
const exchangeSize = 1000

/**
 * Counts in memory, because these limits only bound load, and no request waits for the database. In a cluster, servers
 * exchange their counts once a second (docs/decisions/0039). Limits that protect against guessing are counted in the
 * database (docs/decisions/0007).
 */
export function createRateLimiter({ scale, now, shared, log }: Options): RateLimiter {
  const counters = new Map<string, Counter>()
  const unsharedKeys = new Set<string>()
  let isExchanging = false
  let hasFailed = false

  function sweep(): void {
    const time = now()
    for (const [key, counter] of counters) if (counter.endsAt <= time) counters.delete(key)
    shared
      ?.removeEnded()
      .catch((error: unknown) => log.warn({ err: error }, 'could not remove ended rate counters'))
  }

  /** Takes what was counted here since the last exchange. */
  function takeUnshared(): CallerCount[] {
    const taken: CallerCount[] = []
    for (const key of unsharedKeys) {
      unsharedKeys.delete(key)
      const counter = counters.get(key)
      const remaining = (counter?.endsAt ?? 0) - now()
      if (counter === undefined || remaining <= 0) continue
      taken.push({ key, count: counter.unshared, remaining })
      counter.unshared = 0
      if (taken.length === exchangeSize) break
    }
    return taken
  }

  async function exchange(store: SharedCounters): Promise<void> {
    const taken = takeUnshared()
    if (taken.length === 0) return
    try {
      for (const { key, count, remaining } of await store.add(taken)) {
        const counter = counters.get(key)
        if (counter === undefined) continue
        counter.count = count + counter.unshared
        counter.endsAt = now() + remaining
      }
      hasFailed = false
    } catch (error) {
      for (const { key, count } of taken) {
        const counter = counters.get(key)
        if (counter === undefined) continue
        counter.unshared += count
        unsharedKeys.add(key)
      }
      if (!hasFailed) log.warn({ err: error }, 'could not share the counts of rate limits')
      hasFailed = true
    }
  }

  const timers = [setInterval(sweep, minute)]
  if (shared !== null)
    timers.push(
      setInterval(async () => {
        if (isExchanging) return
        isExchanging = true
        await exchange(shared)
        isExchanging = false
      }, exchangeMs),
    )
  for (const timer of timers) timer.unref()

  function consumeOne(key: string, limit: Limit): void {
    const time = now()
    const max = limit.count * scale
    const known = counters.get(key)
    const isCurrent = known !== undefined && known.endsAt > time && known.endsAt <= time + limit.window
    const counter = isCurrent ? known : { count: 0, endsAt: time + limit.window, unshared: 0 }
    if (!isCurrent) counters.set(key, counter)
    counter.count += 1
    if (shared !== null) {
      counter.unshared += 1
      if (counter.count >= max * sharedFrom) unsharedKeys.add(key)
    }
    // However small the limit, a new window has room for one request.
    if (isCurrent && counter.count > max)
      throw new AppError('rate.limited', { retryAfter: Math.ceil((counter.endsAt - time) / 1000) })
  }

  return {
    consume(limitClass, caller, options = {}) {
      const applicable =
        limitClass === 'upload' && options.canUploadDocuments ? uploaderLimits : limits[limitClass]
      for (const limit of applicable) consumeOne(`${limitClass}|${limit.window}|${caller}`, limit)
    },
    close: () => timers.forEach(clearInterval),
  }
}
