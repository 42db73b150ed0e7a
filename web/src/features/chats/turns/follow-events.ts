import type { ReplyEvent } from '@lyceum/contract/chats'
import { ApiError, isTransient } from '#api/api-error.ts'

type Events = AsyncGenerator<ReplyEvent, void, undefined>

interface ReplyEventSource {
  /** The stream of the request that started the reply; null when the reply is already running. */
  first: Events | null
  /** Opens the stream again after the event with this number. */
  resume: (after: number) => Events
  /** The number of the last known event. */
  after: number
  /** Waits before the next attempt; throws when the user has left. */
  pause: (failures: number) => Promise<void>
}

/**
 * Whether an event must not be applied twice. Status and end events may repeat a known number: a server that crashed
 * and lost its last events uses their numbers again.
 */
function addsToReply({ type }: ReplyEvent): boolean {
  return type === 'accepted' || type === 'delta' || type === 'citation'
}

/**
 * Yields the events of a reply, each once and in order, until the reply ends. Reconnects as often as needed. A failure
 * before the first event is thrown, because the server may not have received the request.
 */
export async function* followEvents({ first, resume, after, pause }: ReplyEventSource): Events {
  let seq = after
  let failures = 0
  let events = first ?? resume(seq)
  while (true) {
    try {
      for await (const event of events) {
        failures = 0
        if (event.seq <= seq && addsToReply(event)) continue
        seq = Math.max(seq, event.seq)
        yield event
        if (event.type === 'done' || event.type === 'error') return
      }
      if (seq === 0 && first !== null) throw new ApiError(0, 'network')
    } catch (error) {
      if (seq === 0 && first !== null) throw error
      if (!isTransient(error)) throw error
    }
    await pause(failures)
    failures += 1
    events = resume(seq)
  }
}
