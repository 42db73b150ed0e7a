import { APICallError } from '@ai-sdk/provider'
import { ModelError } from './port.ts'

const retryAfterCap = 120
const detailLimit = 300

/** An answer to a request for a stream that came as one JSON document instead. */
export class JsonInsteadOfStream extends Error {}

/** Keeps secrets and line breaks out of what is logged and shown to administrators. */
function redact(detail: string, apiKey: string | null): string {
  const withoutKey = apiKey ? detail.replaceAll(apiKey, '[key]') : detail
  return withoutKey
    .replace(/\b(?:sk|Bearer)[- ][\w*.-]{4,}/g, '[key]')
    .replace(/\s+/g, ' ')
    .slice(0, detailLimit)
}

function* causes(error: unknown): Generator<Error> {
  const seen = new Set<unknown>()
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    yield at
  }
}

export function findCause<T extends Error>(error: unknown, kind: new (...args: never[]) => T): T | null {
  for (const cause of causes(error)) if (cause instanceof kind) return cause
  return null
}

/** The system's word for a failed connection, such as ECONNREFUSED. */
export function networkCode(error: unknown): string | null {
  for (const cause of causes(error)) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(cause.code))
      return cause.code
  }
  return null
}

/** What a provider says has failed, in an HTTP error or in an event of a stream. */
export function providerFailure(
  status: number,
  message: string,
  code: string | null,
  retryAfter: number | null = null,
): ModelError {
  const detail = `the provider answered ${status}${code ? ` (${code})` : ''}: ${message}`
  // A spent budget is reported like a rate limit, yet no waiting mends it.
  if (status === 429 && code !== 'insufficient_quota') {
    return new ModelError(
      'assistant.busy',
      detail,
      retryAfter === null ? null : Math.min(retryAfter, retryAfterCap),
    )
  }
  if (status === 404) return new ModelError('assistant.not_configured', detail)
  if (status === 408 || status === 504) return new ModelError('assistant.timeout', detail)
  return new ModelError('assistant.unavailable', detail)
}

/**
 * What the port promises to throw. The library's errors are never passed on as cause: they carry the whole request,
 * and prompts do not belong into a log.
 */
export function toModelError(error: unknown, apiKey: string | null): ModelError {
  const known = findCause(error, ModelError)
  if (known) return new ModelError(known.code, redact(known.detail, apiKey), known.retryAfter)
  const code = networkCode(error)
  if (code) return new ModelError('assistant.unavailable', `the connection failed: ${code}`)
  for (const cause of causes(error)) {
    // Thrown for an error event that comes before any output; other messages may quote the answer.
    if (APICallError.isInstance(cause) && cause.data !== undefined) {
      const failure = providerFailure(cause.statusCode ?? 500, cause.message, null)
      return new ModelError(failure.code, redact(failure.detail, apiKey))
    }
  }
  const name = error instanceof Error ? error.name : 'unknown'
  return new ModelError('assistant.unavailable', `the answer could not be read (${name})`)
}
