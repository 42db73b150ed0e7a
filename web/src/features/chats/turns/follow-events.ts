import type { ReplyEvent } from '@lyceum/contract/chats'
import { ApiError, isTransient } from '#api/api-error.ts'

type Events = AsyncGenerator<ReplyEvent, void, undefined>

interface ReplyEventSource {
  /** Requests the reply; null when it is already running. Every call uses the same idempotency key. */
  request: (() => Events) | null
  /** Opens the stream again after the event with this number. */
  resume: (after: number) => Events
  /** The number of the last known event. */
  after: number
  /** Waits before the next attempt; throws when the user has left. */
  pause: (failures: number, error: ApiError) => Promise<void>
}

/**
 * Whether an event must not be applied twice. Status and end events may repeat a known number: a server that crashed
 * and lost its last events uses their numbers again.
 */
function addsToReply({ type }: ReplyEvent): boolean {
  return type === 'accepted' || type === 'delta' || type === 'citation'
}

const maxRepeats = 3
const maxRetryAfterSeconds = 10

/**
 * Whether to repeat a request that has no answer yet. Without a network the user is told at once, as well as when the
 * server asks for more patience than people have.
 */
function canRepeat(error: ApiError, repeats: number): boolean {
  return (
    repeats < maxRepeats &&
    error.status !== 429 &&
    (error.retryAfter ?? 0) <= maxRetryAfterSeconds &&
    navigator.onLine
  )
}

/**
 * Yields the events of a reply, each once and in order, until the reply ends. Reconnects as often as needed. A request
 * that the server has not accepted is repeated a few times before its error is thrown.
 */
export async function* followEvents({ request, resume, after, pause }: ReplyEventSource): Events {
  let seq = after
  let failures = 0
  while (true) {
    const unaccepted = seq === 0 ? request : null
    let failure = new ApiError(0, 'network')
    try {
      for await (const event of unaccepted?.() ?? resume(seq)) {
        failures = 0
        if (event.seq <= seq && addsToReply(event)) continue
        seq = Math.max(seq, event.seq)
        yield event
        if (event.type === 'done' || event.type === 'error') return
      }
    } catch (error) {
      if (!isTransient(error)) throw error
      failure = error
    }
    if (seq === 0 && unaccepted !== null && !canRepeat(failure, failures)) throw failure
    await pause(failures, failure)
    failures += 1
  }
}
