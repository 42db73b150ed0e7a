/** A call that did not succeed. `message` is the server's own sentence, or empty when it said none. */
export class ApiError extends Error {
  readonly status: number
  /** One of the contract's codes, or 'network' (no answer), 'aborted', 'reply' (an answer that cannot be read). */
  readonly code: string
  readonly fields: Readonly<Record<string, string>>
  /** Seconds after which it may be tried again, when the server said so. */
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

/** The server's sentence when it sent one, otherwise the screen's own. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

export function isAborted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'aborted'
}

/** What was asked for is not there, or not for this person. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
