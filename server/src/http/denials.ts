import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Actor } from '../actor.ts'

/** One or more refusals of the same call, made by the same signed-in user. */
export interface Denial {
  actor: Actor
  /** 'GET /documents/:id' */
  call: string
  status: number
  /** The path parameters as sent, shortened. */
  params: Record<string, string>
  count: number
}

const minute = 60_000
/** The maximum number of tracked pairs of user and call. Beyond it, repeats are recorded one by one. */
const maxWindows = 1000
/** Denials are recorded after the response; at most this many may wait. */
const maxQueued = 500
const maxIdLength = 64

interface DenialWindow {
  endsAt: number
  /** Repeats since the first denial, which was recorded at once. */
  repeated: Denial | null
}

interface Options {
  record: (denial: Denial) => Promise<void>
  now: () => number
  log: Logger
}

/**
 * Groups denials: the first for a user and call is recorded at once, those that follow within a minute as one entry
 * with a count. Entries are written one after another, and no response waits for them.
 */
export function createDenials({ record, now, log }: Options) {
  const windows = new Map<string, DenialWindow>()
  let queued = 0
  let last: Promise<void> = Promise.resolve()

  function queue(denial: Denial): void {
    if (queued >= maxQueued) {
      log.warn(
        { userId: denial.actor.userId, call: denial.call },
        'denial not recorded: too many are waiting',
      )
      return
    }
    queued += 1
    last = last
      .then(() => record(denial))
      .catch((error: unknown) => log.error({ err: error, call: denial.call }, 'denial could not be recorded'))
      .finally(() => {
        queued -= 1
      })
  }

  /** Records the collected repeats and removes windows that had none. */
  function sweep(time: number): void {
    for (const [key, window] of windows) {
      if (window.endsAt > time) continue
      if (window.repeated) {
        queue(window.repeated)
        windows.set(key, { endsAt: time + minute, repeated: null })
      } else windows.delete(key)
    }
  }
  const timer = setInterval(() => sweep(now()), 5_000)
  timer.unref()

  return {
    add(denial: Omit<Denial, 'count'>): void {
      const time = now()
      const key = `${denial.actor.userId}|${denial.call}`
      const window = windows.get(key)
      if (window && window.endsAt > time) {
        window.repeated = { ...denial, count: (window.repeated?.count ?? 0) + 1 }
        return
      }
      if (window?.repeated) queue(window.repeated)
      if (window || windows.size < maxWindows) windows.set(key, { endsAt: time + minute, repeated: null })
      queue({ ...denial, count: 1 })
    },
    /** Records everything that is pending and waits until it is written. */
    async close(): Promise<void> {
      clearInterval(timer)
      sweep(Number.POSITIVE_INFINITY)
      await last
    },
  }
}

export type Denials = ReturnType<typeof createDenials>

function readParams(params: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((params ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      String(value).slice(0, maxIdLength),
    ]),
  )
}

/** Records each 403 and 404 of a declared call after the response was sent. */
export function recordDenials(app: FastifyInstance, denials: Denials): void {
  app.addHook('onResponse', async (request, reply) => {
    const { actor, params, routeOptions } = request
    const status = reply.statusCode
    if (actor === null || routeOptions.url === undefined || (status !== 403 && status !== 404)) return
    const call = `${request.method} ${routeOptions.url.replace(/^\/api/, '')}`
    denials.add({ actor, call, status, params: readParams(params) })
  })
  app.addHook('onClose', () => denials.close())
}
