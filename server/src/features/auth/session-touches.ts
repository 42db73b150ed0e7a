import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import { touchSessions } from './store.ts'

/** Milliseconds for which requests of a session are not recorded again. */
const precision = 60_000
/** When a session was last seen longer ago than this, in milliseconds, its time is written at once. */
const maxLag = 5 * 60_000
const writeInterval = 10_000
/** Sessions whose times are not written yet. Beyond that, a time is left to the next request of its session. */
const maxCollected = 10_000

export interface SessionTouches {
  /**
   * Records a request of a session, which was last seen at `lastSeenAt`. Never throws. Returns without waiting for the
   * database, unless the session has been idle: other servers would end it too early, and so would the loss of its time
   * in a crash.
   */
  touch: (sessionId: string, seenAt: number, lastSeenAt: number) => Promise<void>
  /** Writes the collected times. Never throws: what could not be written is tried again later. */
  write: () => Promise<void>
  /** Writes the collected times for the last time. */
  close: () => Promise<void>
}

/** Collects when sessions were last seen, and writes many of them together. */
export function createSessionTouches(
  { db, log }: { db: Db; log: Logger },
  intervalMs = writeInterval,
): SessionTouches {
  let collected = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isFailing = false
  let lastWrite = Promise.resolve()

  function collect(sessionId: string, seenAt: number): void {
    const known = collected.get(sessionId)
    if (isClosed || (known === undefined && collected.size >= maxCollected)) return
    collected.set(sessionId, Math.max(seenAt, known ?? 0))
    timer ??= setTimeout(() => void write(), intervalMs).unref()
  }

  async function writeCollected(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = collected
    collected = new Map()
    try {
      await touchSessions(db, [...batch])
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'could not save when sessions were last seen; retrying')
      isFailing = true
      for (const [sessionId, seenAt] of batch) collect(sessionId, seenAt)
    }
  }

  /** One write at a time, so that the sessions of concurrent calls are written together. */
  function write(): Promise<void> {
    lastWrite = lastWrite.then(writeCollected)
    return lastWrite
  }

  return {
    async touch(sessionId, seenAt, lastSeenAt) {
      if (seenAt - lastSeenAt <= precision) return
      collect(sessionId, seenAt)
      if (seenAt - lastSeenAt > maxLag) await write()
    },
    write,
    async close() {
      isClosed = true
      await write()
    },
  }
}
