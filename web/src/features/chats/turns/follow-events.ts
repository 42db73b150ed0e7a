import type { ReplyEvent } from '@lyceum/contract/chats'
import { ApiError } from '#api/api-error.ts'

type Events = AsyncGenerator<ReplyEvent, void, undefined>

interface Line {
  /** The stream that began the reply; null to go on with one that runs already. */
  first: Events | null
  /** Opens the stream again behind an event. */
  resume: (after: number) => Events
  /** The number of the last event that is known. */
  after: number
  /** Waits before the next attempt; throws when nobody follows any more. */
  pause: (failures: number) => Promise<void>
}

const transient = new Set([0, 429, 502, 503, 504])

/** Whether a line may do better next time. A refusal will not, nor one that was given up here. */
function isDropped(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code !== 'aborted' &&
    error.code !== 'reply' &&
    transient.has(error.status)
  )
}

/**
 * What must not be taken twice. Where a reply stands and how it ended may come under a number that is known already:
 * a server that lost its last moments counts from before them.
 */
function addsToReply({ type }: ReplyEvent): boolean {
  return type === 'accepted' || type === 'delta' || type === 'citation'
}

/**
 * The events of a reply to its end, each once and in order, over as many lines as it takes. What fails before the
 * first event is thrown: the server may never have heard of it.
 */
export async function* followEvents({ first, resume, after, pause }: Line): Events {
  let seq = after
  let failures = 0
  let line = first ?? resume(seq)
  while (true) {
    try {
      for await (const event of line) {
        failures = 0
        if (event.seq <= seq && addsToReply(event)) continue
        seq = Math.max(seq, event.seq)
        yield event
        if (event.type === 'done' || event.type === 'error') return
      }
      if (seq === 0 && first !== null) throw new ApiError(0, 'network')
    } catch (error) {
      if (seq === 0 && first !== null) throw error
      if (!isDropped(error)) throw error
    }
    await pause(failures)
    failures += 1
    line = resume(seq)
  }
}
