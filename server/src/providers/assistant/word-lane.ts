import type { GuardedBody } from './body-guard.ts'

/**
 * Fast path for streams in the chat format, where nearly every event only holds a few words. Those are read here. From
 * the first other event on, at the latest the finish reason, the library reads, because it handles the differences
 * between providers. It takes many times longer per event.
 */
export interface DeltaFastPath {
  /** Takes the response body and returns a stream of what remains for the library. */
  attach(body: GuardedBody): ReadableStream<Uint8Array>
  /** Returns words as they arrive, empty for reasoning only; null when the library reads the rest. */
  next(): Promise<string | null>
  /** Ends the fast path when no body will arrive. */
  close(): void
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nothing = { words: '', isOutput: false }
type Plain = typeof nothing

/** Reasoning is not shown; it only counts as output for the timeout. */
const thoughts = new Set(['reasoning_content', 'reasoning'])

function readDelta(delta: Record<string, unknown>): Plain | null {
  let words = ''
  let isOutput = false
  for (const [name, value] of Object.entries(delta)) {
    if (value === null || name === 'role') continue
    if (typeof value !== 'string') return null
    if (name === 'content') words = value
    else if (!thoughts.has(name)) return null
    isOutput ||= value !== ''
  }
  return { words, isOutput }
}

function readData(data: string): Plain | null {
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
  if (choice === undefined) return nothing
  if (!isRecord(choice) || (choice['finish_reason'] ?? null) !== null) return null
  return isRecord(choice['delta']) ? readDelta(choice['delta']) : null
}

const oneDataLine = /^[\r\n]*data: ?([^\r\n]*)[\r\n]+$/
const sign = /^(?:[\r\n]|:[^\r\n]*[\r\n])*$/

function readEvent(event: string): Plain | null {
  const data = oneDataLine.exec(event)?.[1]
  if (data !== undefined) return readData(data)
  return sign.test(event) ? nothing : null
}

/** Characters. A plain text event is never this long. */
const longestPlain = 65_536

/** A line ending followed by an empty line, for all three kinds of line ending. */
const eventEnd = /(?:\r\n|\n|\r(?!\n)){2}/g

export function createDeltaFastPath(): DeltaFastPath {
  const opened = Promise.withResolvers<GuardedBody | null>()
  const leftOver = Promise.withResolvers<Uint8Array>()
  // If the answer was stopped, nothing awaits the rest.
  leftOver.promise.catch(() => undefined)
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let waiting = ''
  let isOver = false

  function handOver(): null {
    isOver = true
    leftOver.resolve(encoder.encode(waiting))
    return null
  }

  /** Reads all complete plain events in the buffer; null if the first event is not plain. */
  function take(): Plain | null {
    let words = ''
    let isOutput = false
    let from = 0
    eventEnd.lastIndex = 0
    while (eventEnd.test(waiting)) {
      const plain = readEvent(waiting.slice(from, eventEnd.lastIndex))
      if (!plain && from === 0) return null
      if (!plain) break
      from = eventEnd.lastIndex
      words += plain.words
      isOutput ||= plain.isOutput
    }
    waiting = waiting.slice(from)
    return { words, isOutput }
  }

  return {
    attach(body) {
      opened.resolve(body)
      let isFirst = true
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (isFirst) {
              isFirst = false
              const begun = await leftOver.promise
              if (begun.length > 0) return controller.enqueue(begun)
            }
            const chunk = await body.read()
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
      const body = await opened.promise
      if (!body) return null
      while (!isOver) {
        const plain = take()
        if (!plain || waiting.length > longestPlain) return handOver()
        if (plain.isOutput) return plain.words
        try {
          const chunk = await body.read()
          if (!chunk) return handOver()
          waiting += decoder.decode(chunk, { stream: true })
        } catch (error) {
          isOver = true
          leftOver.reject(error)
        }
      }
      return null
    },
    close: () => opened.resolve(null),
  }
}
