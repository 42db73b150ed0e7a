import type { Deadline } from './deadline.ts'
import { waitForFrame } from './frame-pace.ts'
import { ModelError } from './port.ts'

/** Large, because the last event of the responses format repeats the whole answer. */
const maxEventBytes = 4 * 1024 * 1024
const maxStreamBytes = 64 * 1024 * 1024

function createTooLongError(what: string) {
  return new ModelError('assistant.unavailable', `${what} is longer than allowed`)
}

/** Counts the bytes since the last blank line, for all three kinds of line ending. */
function createEventByteCounter() {
  let eventBytes = 0
  let isLineEmpty = true
  let isAfterCarriageReturn = false
  return (chunk: Uint8Array): number => {
    for (const byte of chunk) {
      eventBytes += 1
      if (byte === 10 && isAfterCarriageReturn) {
        isAfterCarriageReturn = false
        continue
      }
      isAfterCarriageReturn = byte === 13
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
  /** Limit for bodies that are not event streams. */
  maxBytes: number
}

const blankLine = new TextEncoder().encode('\n\n')

/**
 * Reads a body in chunks; null marks the end. Throws when a limit is exceeded or the connection fails. `isAtEnd`: only the
 * end is missing, so the read does not wait for a frame.
 */
export interface GuardedBody {
  read(options?: { isAtEnd: boolean }): Promise<Uint8Array | null>
  cancel(reason: unknown): Promise<void>
}

/**
 * Wraps a response body: reports reads to the deadline and limits how many bytes are buffered. After the first output
 * of an event stream, it reads once per frame: what arrives in between waits in the socket and is read as one chunk.
 */
export function guardBody(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  { isEventStream, maxBytes }: BodyLimits,
): GuardedBody {
  const reader = body.getReader()
  const countEventBytes = createEventByteCounter()
  const limit = isEventStream ? maxStreamBytes : maxBytes
  let total = 0
  let hasEnded = false
  function check(chunk: Uint8Array) {
    total += chunk.length
    if (total > limit) throw createTooLongError('the answer')
    if (isEventStream && countEventBytes(chunk) > maxEventBytes)
      throw createTooLongError('one event of the answer')
  }
  return {
    async read(options) {
      if (hasEnded) return null
      if (isEventStream && deadline.hasOutputStarted && !options?.isAtEnd) await waitForFrame()
      deadline.markReadStarted()
      try {
        const { done, value } = await reader.read()
        if (!done) {
          check(value)
          return value
        }
        hasEnded = true
        // Without a final blank line, parsers drop the last event, which may hold the finish reason.
        return isEventStream ? blankLine : null
      } catch (error) {
        await reader.cancel(error).catch(() => undefined)
        throw error
      } finally {
        deadline.markReadEnded()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

/** Converts a guarded body to a web stream. */
export function toStream(body: GuardedBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await body.read()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    cancel: (reason) => body.cancel(reason),
  })
}

/** Reads a whole body as text, up to `maxBytes`. */
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
