import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
  TypeValidationError,
} from '@ai-sdk/provider'
import { providerFailure } from './failure.ts'
import { ModelError } from './port.ts'
import type { WordLane } from './word-lane.ts'

const maxBadEvents = 3

export interface Ending {
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
  /** Pages the answer rests on, where the web was searched. */
  pages: { url: string; title: string }[]
}

function unfinished(why: string) {
  return new ModelError('assistant.unavailable', why)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** An error event, whose form differs between the two formats and between providers. */
export function errorEventFailure(event: unknown): ModelError {
  const outer = isRecord(event) ? event : {}
  const response = isRecord(outer['response']) ? outer['response'] : {}
  const error = [outer['error'], response['error'], outer].find(isRecord) ?? {}
  const message = typeof error['message'] === 'string' ? error['message'] : 'no reason given'
  const code = [error['code'], error['type']].find((part) => typeof part === 'string') ?? null
  const isBusy = /rate_limit|overload/.test(String(code))
  const status = typeof error['statusCode'] === 'number' ? error['statusCode'] : isBusy ? 429 : 500
  return providerFailure(status, message, code)
}

/** Text as it comes. What is readable is passed on first; only then does anything wrong throw. */
export async function* readStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  onOutput: () => void,
  lane?: WordLane,
): AsyncGenerator<string, Ending> {
  const opening = model.doStream(options)
  if (lane) {
    opening.then(undefined, lane.close)
    for (let words = await lane.next(); words !== null; words = await lane.next()) {
      onOutput()
      if (words !== '') yield words
    }
  }
  const { stream } = await opening
  const pages: Ending['pages'] = []
  let badEvents = 0
  let ending: Ending | null = null
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        onOutput()
        if (part.delta !== '') yield part.delta
        break
      case 'reasoning-delta':
        onOutput()
        break
      case 'source':
        if (part.sourceType === 'url') pages.push({ url: part.url, title: part.title ?? part.url })
        break
      case 'error':
        if (InvalidResponseDataError.isInstance(part.error))
          throw unfinished('the stream ended without a finish reason')
        if (!JSONParseError.isInstance(part.error) && !TypeValidationError.isInstance(part.error)) {
          throw errorEventFailure(part.error)
        }
        badEvents += 1
        if (badEvents >= maxBadEvents) throw unfinished('the stream held events that cannot be read')
        break
      case 'finish':
        ending = { finishReason: part.finishReason, usage: part.usage, pages }
        break
      default:
        break
    }
  }
  // The unreadable event may have held words, so the answer is not known to be whole.
  if (badEvents > 0) throw unfinished('the stream held an event that cannot be read')
  if (!ending) throw unfinished('the stream ended without a finish reason')
  return ending
}

/** An answer in one piece. */
export async function* readWhole(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<string, Ending> {
  const { content, finishReason, usage } = await model.doGenerate(options)
  const pages: Ending['pages'] = []
  let text = ''
  for (const part of content) {
    if (part.type === 'text') text += part.text
    if (part.type === 'source' && part.sourceType === 'url')
      pages.push({ url: part.url, title: part.title ?? part.url })
  }
  if (text !== '') yield text
  return { finishReason, usage, pages }
}

/** Null for everything that is not a whole answer. */
export function completeness({ unified, raw }: LanguageModelV4FinishReason): 'stop' | 'length' | null {
  if (unified === 'stop' || unified === 'length') return unified
  // The library names a polite refusal so; for the provider and the reader it is an answer like any other.
  return unified === 'content-filter' && raw === 'stop' ? 'stop' : null
}
