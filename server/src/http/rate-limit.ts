import { setTimeout as sleep } from 'node:timers/promises'
import type { RateClass } from '@lyceum/contract/endpoint'
import type { Logger } from 'pino'
import type { CallerCount, SharedCounters } from '#providers/shared-counters/port.ts'
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
  registration: [{ count: 60, window: hour }],
  message: [
    { count: 20, window: minute },
    { count: 200, window: hour },
  ],
  stream: [{ count: 120, window: minute }],
  // For users without `canUploadDocuments`. `uploaderLimits` applies to the others.
  upload: [{ count: 20, window: hour }],
  history: [{ count: 30, window: minute }],
  export: [{ count: 10, window: hour }],
  // Per directory. Entra ID sends up to 25 requests a second.
  directory: [{ count: 1500, window: minute }],
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
  /** Rejects with `rate.limited` when the caller has used up the limits of this class. */
  consume(limitClass: RateClass, caller: string, options?: { canUploadDocuments?: boolean }): Promise<void>
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
/** How long a request waits for quick shared counters, in milliseconds. After that, this server decides by itself. */
const longestWait = 50
/** A caller who has used up less than this part of a limit is not worth a row in the database. */
const sharedFrom = 1 / 8
/** Counters exchanged in one statement. */
const exchangeSize = 1000

/**
 * Counts in memory, because these limits only bound load, and no request waits for the database. In a cluster, servers
 * exchange their counts once a second (docs/decisions/0039), or with each request if the counters are quick
 * (docs/decisions/0040). Limits that protect against guessing are counted in the database (docs/decisions/0007).
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

  /** Takes what was counted here under these keys since the last exchange. */
  function takeUnshared(keys: Iterable<string>): CallerCount[] {
    const taken: CallerCount[] = []
    for (const key of keys) {
      unsharedKeys.delete(key)
      const counter = counters.get(key)
      const remaining = (counter?.endsAt ?? 0) - now()
      if (counter === undefined || counter.unshared === 0 || remaining <= 0) continue
      taken.push({ key, count: counter.unshared, remaining })
      counter.unshared = 0
      if (taken.length === exchangeSize) break
    }
    return taken
  }

  /** Returns the counts of all servers; nothing if they are not known. */
  async function exchange(store: SharedCounters, keys: Iterable<string>): Promise<CallerCount[]> {
    const taken = takeUnshared(keys)
    if (taken.length === 0) return []
    try {
      const answer = await store.add(taken)
      for (const { key, count, remaining } of answer) {
        const counter = counters.get(key)
        if (counter === undefined) continue
        counter.count = count + counter.unshared
        counter.endsAt = now() + remaining
      }
      hasFailed = false
      return answer
    } catch (error) {
      for (const { key, count } of taken) {
        const counter = counters.get(key)
        if (counter === undefined) continue
        counter.unshared += count
        unsharedKeys.add(key)
      }
      if (!hasFailed) log.warn({ err: error }, 'could not share the counts of rate limits')
      hasFailed = true
      return []
    }
  }

  const timers = [setInterval(sweep, minute)]
  if (shared !== null)
    timers.push(
      setInterval(async () => {
        if (isExchanging) return
        isExchanging = true
        await exchange(shared, unsharedKeys)
        isExchanging = false
      }, exchangeMs),
    )
  for (const timer of timers) timer.unref()

  /** Counts a request in memory. Returns the counter. */
  function count(key: string, { count: max, window }: Limit): Counter {
    const time = now()
    const known = counters.get(key)
    const isCurrent = known !== undefined && known.endsAt > time && known.endsAt <= time + window
    const counter = isCurrent ? known : { count: 0, endsAt: time + window, unshared: 0 }
    if (!isCurrent) counters.set(key, counter)
    counter.count += 1
    if (shared === null) return counter
    counter.unshared += 1
    if (shared.isQuick || counter.count >= max * scale * sharedFrom) unsharedKeys.add(key)
    return counter
  }

  /** However small the limit, a new window has room for one request. */
  function refuseAbove(limit: Limit, requests: number, { endsAt }: Counter): void {
    if (requests <= Math.max(limit.count * scale, 1)) return
    throw new AppError('rate.limited', { retryAfter: Math.max(1, Math.ceil((endsAt - now()) / 1000)) })
  }

  /** Returns the counts of all servers, this request included; nothing if that would take too long. */
  async function askOthers(store: SharedCounters, keys: Iterable<string>): Promise<Map<string, number>> {
    const answered = new AbortController()
    const late = sleep(longestWait, [], { signal: answered.signal }).catch(() => [])
    const answer = await Promise.race([exchange(store, keys), late])
    answered.abort()
    return new Map(answer.map(({ key, count: requests }) => [key, requests]))
  }

  return {
    async consume(limitClass, caller, options = {}) {
      const applicable =
        limitClass === 'upload' && options.canUploadDocuments ? uploaderLimits : limits[limitClass]
      const counted = new Map<string, { counter: Counter; limit: Limit }>()
      for (const limit of applicable) {
        const key = `${limitClass}|${limit.window}|${caller}`
        const counter = count(key, limit)
        refuseAbove(limit, counter.count, counter)
        counted.set(key, { counter, limit })
      }
      if (!shared?.isQuick) return
      const counts = await askOthers(shared, counted.keys())
      for (const [key, { counter, limit }] of counted)
        refuseAbove(limit, counts.get(key) ?? counter.count, counter)
    },
    close: () => timers.forEach(clearInterval),
  }
}
