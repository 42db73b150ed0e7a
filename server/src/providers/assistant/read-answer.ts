import {
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
  TypeValidationError,
} from '@ai-sdk/provider'
import type { DeltaFastPath } from './delta-fast-path.ts'
import { toProviderError } from './model-errors.ts'
import { ModelError } from './port.ts'

/** Unreadable events that are skipped. A proxy may insert one into a stream that is otherwise complete. */
export const maxBadEvents = 3

export interface AnswerEnding {
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
  /** Web pages the answer is based on. */
  pages: { url: string; title: string }[]
  /** Unreadable events that were skipped. */
  badEvents: number
}

function createUnavailableError(why: string) {
  return new ModelError('assistant.unavailable', why)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Converts an error event, whose shape differs between the two formats and between providers. */
export function convertErrorEvent(event: unknown): ModelError {
  const outer = isRecord(event) ? event : {}
  const response = isRecord(outer['response']) ? outer['response'] : {}
  const error = [outer['error'], response['error'], outer].find(isRecord) ?? {}
  const message = typeof error['message'] === 'string' ? error['message'] : null
  const code = [error['code'], error['type']].find((part) => typeof part === 'string') ?? null
  const isBusy = /rate_limit|overload/.test(String(code))
  const status = typeof error['statusCode'] === 'number' ? error['statusCode'] : isBusy ? 429 : 500
  return toProviderError(status, message, code)
}

/** Yields text as it arrives. Errors are thrown only after all readable text has been yielded. */
export async function* readStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  onOutput: () => void,
  fastPath?: DeltaFastPath,
): AsyncGenerator<string, AnswerEnding> {
  const pendingResult = model.doStream(options)
  if (fastPath) {
    pendingResult.then(undefined, fastPath.close)
    for (let words = await fastPath.next(); words !== null; words = await fastPath.next()) {
      onOutput()
      if (words !== '') yield words
    }
  }
  const { stream } = await pendingResult
  const pages: AnswerEnding['pages'] = []
  let badEvents = 0
  let ending: AnswerEnding | null = null
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
          throw createUnavailableError('the stream ended without a finish reason')
        if (!JSONParseError.isInstance(part.error) && !TypeValidationError.isInstance(part.error)) {
          throw convertErrorEvent(part.error)
        }
        badEvents += 1
        if (badEvents > maxBadEvents) throw createUnavailableError('the stream contained unreadable events')
        break
      case 'finish':
        ending = { finishReason: part.finishReason, usage: part.usage, pages, badEvents: 0 }
        break
      default:
        break
    }
  }
  if (!ending) throw createUnavailableError('the stream ended without a finish reason')
  return { ...ending, badEvents }
}

/** Reads an answer without streaming. */
export async function* readWhole(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): AsyncGenerator<string, AnswerEnding> {
  const { content, finishReason, usage } = await model.doGenerate(options)
  const pages: AnswerEnding['pages'] = []
  let text = ''
  for (const part of content) {
    if (part.type === 'text') text += part.text
    if (part.type === 'source' && part.sourceType === 'url')
      pages.push({ url: part.url, title: part.title ?? part.url })
  }
  if (text !== '') yield text
  return { finishReason, usage, pages, badEvents: 0 }
}

/** Returns null if the answer is incomplete. */
export function getFinishReason({ unified, raw }: LanguageModelV4FinishReason): 'stop' | 'length' | null {
  if (unified === 'stop' || unified === 'length') return unified
  // The library uses 'content-filter' for a refusal by the model, which is a normal answer for the provider and the user.
  return unified === 'content-filter' && raw === 'stop' ? 'stop' : null
}
