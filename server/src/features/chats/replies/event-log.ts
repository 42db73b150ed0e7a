import type { ReplyEvent } from '@lyceum/contract/chats'

type WithoutNumber<E> = E extends ReplyEvent ? Omit<E, 'seq'> : never
export type NewReplyEvent = WithoutNumber<ReplyEvent>

/** The events of one reply, numbered from 1, and their readers. */
export interface EventLog {
  /** The number of the newest event, whether or not readers see it yet. */
  readonly last: number
  /** Resolves when there will be no more events. */
  readonly closed: Promise<void>
  readonly isClosed: boolean
  add(event: NewReplyEvent): void
  /** Lets readers see the events up to this one. Needed only for a log with `isHeld`. */
  show(seq: number): void
  /** Readers see all events, and end after the last one. */
  close(): void
  /** Replays the events after `after`, then yields new ones. A closed log yields at least its last event. */
  read(after: number): AsyncIterableIterator<ReplyEvent>
  /**
   * Like `read`, for a reader that reconnects. If there is nothing new, it first repeats the current status under the
   * reader's own event number, because the HTTP stream opens with its first event and the next may take a while.
   */
  resume(after: number): AsyncIterableIterator<ReplyEvent>
}

/** With `isHeld`, readers see an event only after `show`. */
export function createEventLog({ isHeld = false } = {}): EventLog {
  const events: ReplyEvent[] = []
  /** The number of events that readers see. */
  let shown = 0
  const closing = Promise.withResolvers<void>()
  let isClosed = false
  /** Wakes the readers that wait for the next event. */
  let waiting: (() => void)[] = []

  function show(seq: number): void {
    if (seq <= shown) return
    shown = seq
    wakeReaders()
  }

  function wakeReaders(): void {
    const readers = waiting
    waiting = []
    for (const wake of readers) wake()
  }

  function buildStatusEvent(seq: number): ReplyEvent {
    const last = events.slice(0, shown).findLast((event) => event.type === 'status')
    return { type: 'status', status: last?.status ?? 'thinking', seq }
  }

  function readFrom(after: number, isResumed: boolean): AsyncIterableIterator<ReplyEvent> {
    let at = Math.min(after, isClosed ? Math.max(0, events.length - 1) : events.length)
    // A saved snapshot may be ahead of what is shown.
    let mustSendStatus = isResumed && at > 0 && at >= shown
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
          const event = at < shown ? events[at] : undefined
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
      if (!isHeld) show(events.length)
    },
    show,
    close() {
      isClosed = true
      shown = events.length
      closing.resolve()
      wakeReaders()
    },
    read: (after) => readFrom(after, false),
    resume: (after) => readFrom(after, true),
  }
}
