import { type ErrorCode, errors } from '@lyceum/contract/errors'

interface Details {
  /** Instead of the code's own words. */
  message?: string
  fields?: Record<string, string>
  /** Seconds after which another try may succeed. */
  retryAfter?: number
  cause?: unknown
}

/** What a feature throws when it refuses: a code of the contract's closed list. It knows nothing of HTTP. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, { message, fields, retryAfter, cause }: Details = {}) {
    super(message ?? errors[code].message, cause === undefined ? undefined : { cause })
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** An object the caller may not see answers like one that does not exist. */
export function notFound(): AppError {
  return new AppError('not_found')
}
