import { APICallError } from '@ai-sdk/provider'
import { ModelError } from './port.ts'

const maxRetryAfterSeconds = 120
const maxDetailLength = 300

/** The endpoint answered a streaming request with one JSON document. */
export class JsonInsteadOfStream extends Error {}

/** Removes secrets and line breaks from text that is logged and shown to administrators. */
function redact(detail: string, apiKey: string | null): string {
  const withoutKey = apiKey ? detail.replaceAll(apiKey, '[key]') : detail
  return withoutKey
    .replace(/\b(?:sk|Bearer)[- ][\w*.-]{4,}/g, '[key]')
    .replace(/\s+/g, ' ')
    .slice(0, maxDetailLength)
}

function* iterateCauses(error: unknown): Generator<Error> {
  const seen = new Set<unknown>()
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    yield at
  }
}

export function findCause<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | null {
  for (const cause of iterateCauses(error)) if (cause instanceof kind) return cause
  return null
}

/** The system's code for a failed connection, such as ECONNREFUSED. */
export function findNetworkCode(error: unknown): string | null {
  for (const cause of iterateCauses(error)) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(cause.code))
      return cause.code
  }
  return null
}

/** Converts an error the provider reported, as an HTTP status or in a stream event. */
export function toProviderError(
  status: number,
  /** Null if the provider gives no reason. */
  message: string | null,
  code: string | null,
  retryAfter: number | null = null,
): ModelError {
  const detail = `the provider answered ${status}${code ? ` (${code})` : ''}${message ? `: ${message}` : ''}`
  // OpenAI reports an exhausted quota as a rate limit, but waiting does not help.
  if (status === 429 && code !== 'insufficient_quota') {
    return new ModelError(
      'assistant.busy',
      detail,
      retryAfter === null ? null : Math.min(retryAfter, maxRetryAfterSeconds),
    )
  }
  if (status === 404) return new ModelError('assistant.not_configured', detail)
  if (status === 408 || status === 504) return new ModelError('assistant.timeout', detail)
  return new ModelError('assistant.unavailable', detail)
}

/**
 * Converts any error to the one the port promises. The library's errors are never passed on as the cause, because they
 * contain the whole request and prompts must not be logged.
 */
export function toModelError(error: unknown, apiKey: string | null): ModelError {
  const known = findCause(error, ModelError)
  if (known) return new ModelError(known.code, redact(known.detail, apiKey), known.retryAfter)
  const code = findNetworkCode(error)
  if (code) return new ModelError('assistant.unavailable', `the connection failed: ${code}`)
  for (const cause of iterateCauses(error)) {
    // Thrown for an error event before any output. Messages of other errors may quote the answer.
    if (APICallError.isInstance(cause) && cause.data !== undefined) {
      const failure = toProviderError(cause.statusCode ?? 500, cause.message, null)
      return new ModelError(failure.code, redact(failure.detail, apiKey))
    }
  }
  const name = error instanceof Error ? error.name : 'unknown'
  return new ModelError('assistant.unavailable', `the answer could not be read (${name})`)
}
