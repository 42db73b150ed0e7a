import { type ErrorCode, errors } from '@lyceum/contract/errors'

interface Details {
  /** Replaces the default message of the code. */
  message?: string
  fields?: Record<string, string>
  /** Seconds after which a retry may succeed. */
  retryAfter?: number
  cause?: unknown
}

/** Thrown by features to refuse a request, with an error code of the contract. Independent of HTTP. */
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

/** Also used for objects that the caller may not see, so that their existence is not revealed. */
export function notFound(): AppError {
  return new AppError('not_found')
}
