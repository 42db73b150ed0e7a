import type { Deadline } from './deadline.ts'
import { ModelError } from './port.ts'

/** One event of a stream; the last event of a response repeats the whole answer. */
const maxEventBytes = 4 * 1024 * 1024
const maxStreamBytes = 64 * 1024 * 1024

function tooLong(what: string) {
  return new ModelError('assistant.unavailable', `${what} is longer than allowed`)
}

/** Counts the bytes since the last blank line, whichever line ends the provider uses. */
function eventCounter() {
  let eventBytes = 0
  let isLineEmpty = true
  let wasReturn = false
  return (chunk: Uint8Array): number => {
    for (const byte of chunk) {
      eventBytes += 1
      if (byte === 10 && wasReturn) {
        wasReturn = false
        continue
      }
      wasReturn = byte === 13
      if (byte === 10 || byte === 13) {
        if (isLineEmpty) eventBytes = 0
        isLineEmpty = true
      } else {
        isLineEmpty = false
      }
    }
    return eventBytes
  }
}

export interface BodyLimits {
  isEventStream: boolean
  /** For a body that is not a stream of events. */
  maxBytes: number
}

const blankLine = new TextEncoder().encode('\n\n')

/** A body piece by piece, null at its end. Reading throws for what is too long, and as the connection does. */
export interface GuardedBody {
  read(): Promise<Uint8Array | null>
  cancel(reason: unknown): Promise<void>
}

/** The provider's bytes, with the clocks told of each and with an end to what has to be held in memory. */
export function guardBody(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  { isEventStream, maxBytes }: BodyLimits,
): GuardedBody {
  const reader = body.getReader()
  const bytesOfEvent = eventCounter()
  const limit = isEventStream ? maxStreamBytes : maxBytes
  let total = 0
  let isAtEnd = false
  function check(chunk: Uint8Array) {
    total += chunk.length
    if (total > limit) throw tooLong('the answer')
    if (isEventStream && bytesOfEvent(chunk) > maxEventBytes) throw tooLong('one event of the answer')
  }
  return {
    async read() {
      if (isAtEnd) return null
      deadline.waiting()
      try {
        const { done, value } = await reader.read()
        if (!done) {
          check(value)
          return value
        }
        isAtEnd = true
        // A parser drops a last event that no blank line ends, and with it perhaps the finish reason.
        return isEventStream ? blankLine : null
      } catch (error) {
        await reader.cancel(error).catch(() => undefined)
        throw error
      } finally {
        deadline.arrived()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

/** The same as a stream, for whoever wants one. */
export function streamOf(body: GuardedBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await body.read()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel: (reason) => body.cancel(reason),
  })
}

/** A body that has to be read whole, as far as it is of reasonable size. */
export async function readText(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const guarded = guardBody(body, deadline, { isEventStream: false, maxBytes })
  for (let chunk = await guarded.read(); chunk; chunk = await guarded.read())
    text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
