import type { GuardedBody } from './body-guard.ts'

/**
 * Nearly every event of an answer in the chat format holds a few words and nothing else. Those are read here; from the
 * first other event on, the finish reason at the latest, the library reads, which knows what providers do differently.
 * It takes many times longer for an event.
 */
export interface WordLane {
  /** Takes the body of the answer and gives back what will be left of it. */
  divert(body: GuardedBody): ReadableStream<Uint8Array>
  /** Words as they come, empty while only thoughts do; null when the rest is the library's. */
  next(): Promise<string | null>
  /** No body will come. */
  close(): void
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nothing = { words: '', isOutput: false }
type Plain = typeof nothing

/** The thoughts of a model are not shown: that they come is all there is to know. */
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
  // Some providers begin with what they made of the question.
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

/** Characters; nobody writes words in such pieces. */
const longestPlain = 65_536

/** A line end and an empty line, whichever line ends the provider uses. */
const eventEnd = /(?:\r\n|\n|\r(?!\n)){2}/g

export function createWordLane(): WordLane {
  const opened = Promise.withResolvers<GuardedBody | null>()
  const leftOver = Promise.withResolvers<Uint8Array>()
  // Nobody looks at what is left of an answer that was stopped.
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

  /** What the whole events that wait hold together; null when the first of them is not plain. */
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
    divert(body) {
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
            // Through the decoder, which may hold the first half of a character.
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
