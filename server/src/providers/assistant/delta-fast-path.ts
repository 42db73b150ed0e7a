import type { GuardedBody } from './body-guard.ts'

/**
 * Fast path for streams in the chat format, in which nearly every event contains only a few words. It reads these plain
 * events itself, because the library takes many times longer per event. The first other event, at the latest the one
 * with the finish reason, and all later ones are left to the library, which handles the differences between providers.
 */
export interface DeltaFastPath {
  /** Takes the response body and returns a stream of what remains for the library. */
  attach(body: GuardedBody): ReadableStream<Uint8Array>
  /** Returns words as they arrive: an empty string for reasoning, null once the library reads the rest. */
  next(): Promise<string | null>
  /** Ends the fast path when no body will arrive. */
  close(): void
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const noOutput = { words: '', isOutput: false }
type PlainEvent = typeof noOutput

/** Reasoning is not shown; it only counts as output for the timeout. */
const reasoningFields = new Set(['reasoning_content', 'reasoning'])

function readDelta(delta: Record<string, unknown>): PlainEvent | null {
  let words = ''
  let isOutput = false
  for (const [name, value] of Object.entries(delta)) {
    if (value === null || name === 'role') continue
    if (typeof value !== 'string') return null
    if (name === 'content') words = value
    else if (!reasoningFields.has(name)) return null
    isOutput ||= value !== ''
  }
  return { words, isOutput }
}

function readData(data: string): PlainEvent | null {
  let event: unknown
  try {
    event = JSON.parse(data)
  } catch {
    return null
  }
  if (!isRecord(event) || 'error' in event) return null
  const { choices, usage = null } = event
  if (usage !== null || !Array.isArray(choices) || choices.length > 1) return null
  const choice: unknown = choices[0]
  // Some providers begin with an event about the prompt, such as its content filter results.
  if (choice === undefined) return noOutput
  if (!isRecord(choice) || (choice['finish_reason'] ?? null) !== null) return null
  return isRecord(choice['delta']) ? readDelta(choice['delta']) : null
}

const oneDataLine = /^[\r\n]*data: ?([^\r\n]*)[\r\n]+$/
const blankOrCommentLines = /^(?:[\r\n]|:[^\r\n]*[\r\n])*$/

function readEvent(event: string): PlainEvent | null {
  const data = oneDataLine.exec(event)?.[1]
  if (data !== undefined) return readData(data)
  return blankOrCommentLines.test(event) ? noOutput : null
}

/** Characters. A plain text event is never this long. */
const maxPlainEventLength = 65_536

/** A line ending followed by an empty line, for all three kinds of line ending. */
const eventEnd = /(?:\r\n|\n|\r(?!\n)){2}/g

const finishReason = /"finish_reason":\s*"/

export function createDeltaFastPath(): DeltaFastPath {
  const attachedBody = Promise.withResolvers<GuardedBody | null>()
  const unreadBytes = Promise.withResolvers<Uint8Array>()
  // If the answer was stopped, nothing awaits the rest.
  unreadBytes.promise.catch(() => undefined)
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let buffer = ''
  let isOver = false
  /** The first event for the library says why the answer is complete. */
  let isAtEnd = false

  function handOver(): null {
    isOver = true
    isAtEnd = finishReason.test(buffer)
    unreadBytes.resolve(encoder.encode(buffer))
    return null
  }

  /** Reads all complete plain events in the buffer; null if the first event is not plain. */
  function readPlainEvents(): PlainEvent | null {
    let words = ''
    let isOutput = false
    let from = 0
    eventEnd.lastIndex = 0
    while (eventEnd.test(buffer)) {
      const plain = readEvent(buffer.slice(from, eventEnd.lastIndex))
      if (!plain && from === 0) return null
      if (!plain) break
      from = eventEnd.lastIndex
      words += plain.words
      isOutput ||= plain.isOutput
    }
    buffer = buffer.slice(from)
    return { words, isOutput }
  }

  return {
    attach(body) {
      attachedBody.resolve(body)
      let isFirst = true
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (isFirst) {
              isFirst = false
              const unread = await unreadBytes.promise
              if (unread.length > 0) return controller.enqueue(unread)
            }
            const chunk = await body.read({ isAtEnd })
            if (!chunk) return controller.close()
            // Use the decoder, which may hold the first bytes of a character.
            controller.enqueue(encoder.encode(decoder.decode(chunk, { stream: true })))
          },
          cancel: (reason) => body.cancel(reason),
        },
        { highWaterMark: 0 },
      )
    },
    async next() {
      const body = await attachedBody.promise
      if (!body) return null
      while (!isOver) {
        const plain = readPlainEvents()
        if (!plain || buffer.length > maxPlainEventLength) return handOver()
        if (plain.isOutput) return plain.words
        try {
          const chunk = await body.read()
          if (!chunk) return handOver()
          buffer += decoder.decode(chunk, { stream: true })
        } catch (error) {
          isOver = true
          unreadBytes.reject(error)
        }
      }
      return null
    },
    close: () => attachedBody.resolve(null),
  }
}
