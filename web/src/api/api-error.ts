/** A failed call. `message` is the server's sentence, or empty when it sent none. */
export class ApiError extends Error {
  readonly status: number
  /**
   * One of the contract's codes, or 'network' (no response), 'aborted', 'reply' (an unreadable response) or 'unknown'
   * (an error response without a code).
   */
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  /** Seconds until the server accepts another attempt; null when it did not say. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    code: string,
    message = '',
    fields: Record<string, string> = {},
    retryAfter: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** The server's sentence, or the fallback when it sent none. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

export function isAborted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'aborted'
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether trying again may succeed: the server did not reject the content of the request. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status < 400 || error.status === 429 || error.status >= 500
}

const transient = new Set([0, 429, 502, 503, 504])

/** Whether repeating the request automatically may succeed: the connection dropped, or the server is busy or starting. */
export function isTransient(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.code !== 'aborted' &&
    error.code !== 'reply' &&
    transient.has(error.status)
  )
}
