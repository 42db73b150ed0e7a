import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Deadline } from './deadline.ts'
import { ModelError } from './port.ts'

/** One event of a stream; the last event of a response repeats the whole answer. */
const maxEventBytes = 4 * 1024 * 1024
const maxStreamBytes = 64 * 1024 * 1024

const tooLong = (what: string) => new ModelError('assistant.unavailable', `${what} is longer than allowed`)

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

/** The provider's bytes, with the clocks told of each and with an end to what has to be held in memory. */
export function guardBody(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  { isEventStream, maxBytes }: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const bytesOfEvent = eventCounter()
  const limit = isEventStream ? maxStreamBytes : maxBytes
  let total = 0
  const check = (chunk: Uint8Array) => {
    total += chunk.length
    if (total > limit) throw tooLong('the answer')
    if (isEventStream && bytesOfEvent(chunk) > maxEventBytes) throw tooLong('one event of the answer')
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      deadline.waiting()
      try {
        const { done, value } = await reader.read()
        if (done) {
          // A parser drops a last event that no blank line ends, and with it perhaps the finish reason.
          if (isEventStream) controller.enqueue(blankLine)
          controller.close()
          return
        }
        check(value)
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        await reader.cancel(error).catch(() => undefined)
      } finally {
        deadline.arrived()
      }
    },
    cancel: (reason) => reader.cancel(reason),
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
  const guarded = guardBody(body, deadline, { isEventStream: false, maxBytes }) as WebStream<Uint8Array>
  for await (const chunk of guarded) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
