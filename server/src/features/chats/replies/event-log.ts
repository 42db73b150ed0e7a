import type { ReplyEvent } from '@lyceum/contract/chats'

type WithoutNumber<E> = E extends ReplyEvent ? Omit<E, 'seq'> : never
export type NewReplyEvent = WithoutNumber<ReplyEvent>

/** The events of one reply, numbered from 1, and whoever reads along. */
export interface EventLog {
  /** The number of the newest event. */
  readonly last: number
  add(event: NewReplyEvent): void
  /** No more will come: readers end after the last event. */
  close(): void
  /** What came after a number, then what comes; of a closed log at least its last event. */
  read(after: number): AsyncIterableIterator<ReplyEvent>
  /**
   * The same for a reader who comes back. With nothing new to tell, the first event repeats how things stand, under
   * the reader's own number: a stream begins with its first event, and the next one may be a while.
   */
  resume(after: number): AsyncIterableIterator<ReplyEvent>
}

export function createEventLog(): EventLog {
  const events: ReplyEvent[] = []
  let isClosed = false
  /** Readers that wait for more. */
  let waiting: (() => void)[] = []

  function tell(): void {
    const told = waiting
    waiting = []
    for (const wake of told) wake()
  }

  function standing(seq: number): ReplyEvent {
    const last = events.findLast((event) => event.type === 'status')
    return { type: 'status', status: last?.status ?? 'thinking', seq }
  }

  function readFrom(after: number, isResumed: boolean): AsyncIterableIterator<ReplyEvent> {
    let at = Math.min(after, isClosed ? Math.max(0, events.length - 1) : events.length)
    let mustGreet = isResumed && at > 0 && at === events.length
    let wake: (() => void) | null = null
    let hasLeft = false
    function more(): Promise<void> {
      return new Promise((resolve) => {
        wake = resolve
        waiting.push(resolve)
      })
    }
    return {
      async next() {
        for (;;) {
          if (hasLeft) return { done: true, value: undefined }
          const event = events[at]
          if (mustGreet) {
            mustGreet = false
            if (!event && !isClosed) return { done: false, value: standing(at) }
          }
          if (event) {
            at += 1
            return { done: false, value: event }
          }
          if (isClosed) return { done: true, value: undefined }
          await more()
        }
      },
      // A generator would notice only at the next event that its reader has left.
      async return() {
        hasLeft = true
        waiting = waiting.filter((waits) => waits !== wake)
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
    add(event) {
      events.push({ ...event, seq: events.length + 1 } as ReplyEvent)
      tell()
    },
    close() {
      isClosed = true
      tell()
    },
    read: (after) => readFrom(after, false),
    resume: (after) => readFrom(after, true),
  }
}
