import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Actor } from '../actor.ts'

/** A call that somebody signed in was refused, or several of the same kind. */
export interface Denial {
  actor: Actor
  /** 'GET /documents/:id' */
  call: string
  status: number
  /** What the parameters of the path named, as it was sent. */
  asked: Record<string, string>
  count: number
}

const minute = 60_000
/** People and calls remembered at once; beyond that repeats are no longer told apart. */
const windowsKept = 1000
/** Written later than answered, but never more than this many behind. */
const waitingAtMost = 500
const longestId = 64

interface Window {
  endsAt: number
  /** Since the first, which was told of at once. */
  repeated: Denial | null
}

interface Options {
  enter: (denial: Denial) => Promise<void>
  now: () => number
  log: Logger
}

/**
 * Collects refusals: the first of a person and call is told of at once, all that follow within a minute as one with
 * their number. They are entered one after another, and answers never wait for it.
 */
export function createDenials({ enter, now, log }: Options) {
  const windows = new Map<string, Window>()
  let waiting = 0
  let last: Promise<void> = Promise.resolve()

  function queue(denial: Denial): void {
    if (waiting >= waitingAtMost) {
      log.warn(
        { userId: denial.actor.userId, call: denial.call },
        'a refusal was not entered: too many at once',
      )
      return
    }
    waiting += 1
    last = last
      .then(() => enter(denial))
      .catch((error: unknown) =>
        log.error({ err: error, call: denial.call }, 'a refusal could not be entered'),
      )
      .finally(() => {
        waiting -= 1
      })
  }

  /** Tells of what has gathered; a window without repeats is over. */
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
    note(denial: Omit<Denial, 'count'>): void {
      const time = now()
      const key = `${denial.actor.userId}|${denial.call}`
      const window = windows.get(key)
      if (window && window.endsAt > time) {
        window.repeated = { ...denial, count: (window.repeated?.count ?? 0) + 1 }
        return
      }
      if (window?.repeated) queue(window.repeated)
      if (window || windows.size < windowsKept) windows.set(key, { endsAt: time + minute, repeated: null })
      queue({ ...denial, count: 1 })
    },
    /** Tells of all there is and waits until it is entered. */
    async close(): Promise<void> {
      clearInterval(timer)
      sweep(Number.POSITIVE_INFINITY)
      await last
    },
  }
}

export type Denials = ReturnType<typeof createDenials>

function idsOf(params: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((params ?? {}) as Record<string, unknown>).map(([name, value]) => [
      name,
      String(value).slice(0, longestId),
    ]),
  )
}

/** Notes each refusal of a declared call once it is answered. */
export function noteDenials(app: FastifyInstance, denials: Denials): void {
  app.addHook('onResponse', async (request, reply) => {
    const { actor, params, routeOptions } = request
    const status = reply.statusCode
    if (actor === null || routeOptions.url === undefined || (status !== 403 && status !== 404)) return
    const call = `${request.method} ${routeOptions.url.replace(/^\/api/, '')}`
    denials.note({ actor, call, status, asked: idsOf(params) })
  })
  app.addHook('onClose', () => denials.close())
}
