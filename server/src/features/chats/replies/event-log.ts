import type { ReplyEvent } from '@lyceum/contract/chats'

type WithoutNumber<E> = E extends ReplyEvent ? Omit<E, 'seq'> : never
export type NewReplyEvent = WithoutNumber<ReplyEvent>

/** The events of one reply, numbered from 1, and their readers. */
export interface EventLog {
  /** The number of the newest event. */
  readonly last: number
  /** Resolves when there will be no more events. */
  readonly closed: Promise<void>
  readonly isClosed: boolean
  add(event: NewReplyEvent): void
  /** Readers end after the last event. */
  close(): void
  /** Replays the events after `after`, then yields new ones. A closed log yields at least its last event. */
  read(after: number): AsyncIterableIterator<ReplyEvent>
  /**
   * Like `read`, for a reader that reconnects. If there is nothing new, it first repeats the current status under the
   * reader's own event number, because the HTTP stream opens with its first event and the next may take a while.
   */
  resume(after: number): AsyncIterableIterator<ReplyEvent>
}

export function createEventLog(): EventLog {
  const events: ReplyEvent[] = []
  const closing = Promise.withResolvers<void>()
  let isClosed = false
  /** Wakes the readers that wait for the next event. */
  let waiting: (() => void)[] = []

  function wakeReaders(): void {
    const readers = waiting
    waiting = []
    for (const wake of readers) wake()
  }

  function buildStatusEvent(seq: number): ReplyEvent {
    const last = events.findLast((event) => event.type === 'status')
    return { type: 'status', status: last?.status ?? 'thinking', seq }
  }

  function readFrom(after: number, isResumed: boolean): AsyncIterableIterator<ReplyEvent> {
    let at = Math.min(after, isClosed ? Math.max(0, events.length - 1) : events.length)
    let mustSendStatus = isResumed && at > 0 && at === events.length
    let wake: (() => void) | null = null
    let isCancelled = false
    function waitForEvent(): Promise<void> {
      return new Promise((resolve) => {
        wake = resolve
        waiting.push(resolve)
      })
    }
    return {
      async next() {
        for (;;) {
          if (isCancelled) return { done: true, value: undefined }
          const event = events[at]
          if (mustSendStatus) {
            mustSendStatus = false
            if (!event && !isClosed) return { done: false, value: buildStatusEvent(at) }
          }
          if (event) {
            at += 1
            return { done: false, value: event }
          }
          if (isClosed) return { done: true, value: undefined }
          await waitForEvent()
        }
      },
      // An async generator would handle `return` only after the next event.
      async return() {
        isCancelled = true
        waiting = waiting.filter((waiter) => waiter !== wake)
        wake?.()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  return {
    get last() {
      return events.length
    },
    closed: closing.promise,
    get isClosed() {
      return isClosed
    },
    add(event) {
      events.push({ ...event, seq: events.length + 1 } as ReplyEvent)
      wakeReaders()
    },
    close() {
      isClosed = true
      closing.resolve()
      wakeReaders()
    },
    read: (after) => readFrom(after, false),
    resume: (after) => readFrom(after, true),
  }
}
