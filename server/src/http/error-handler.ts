import type { ErrorReply } from '@lyceum/contract/error-reply'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { isDiskFull } from '#lib/disk-full.ts'
import { StorageUnavailable } from '#providers/files/port.ts'
import { SearchUnavailable } from '#providers/passage-index/port.ts'
import { AppError } from '../errors.ts'

/** Maps Fastify's own errors to our error codes. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.malformed',
  FST_ERR_BAD_URL: 'request.malformed',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.type',
}

declare module 'fastify' {
  interface FastifyReply {
    errorCode: ErrorCode | null
  }
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  const known = code ? frameworkCodes[code] : undefined
  if (known) return new AppError(known, { cause: error })
  // Fastify also gives a body that broke off this status. Its ECONNRESET is not one of the database.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('request.malformed', { cause: error })
  if (isDatabaseUnavailable(error)) return new AppError('server.busy', { cause: error, retryAfter: 2 })
  if (error instanceof StorageUnavailable)
    return new AppError('storage.unavailable', { cause: error, retryAfter: 10 })
  if (error instanceof SearchUnavailable)
    return new AppError('search.unavailable', { cause: error, retryAfter: 10 })
  if (isDiskFull(error)) return new AppError('storage.full', { cause: error })
  return new AppError('internal', { cause: error })
}

function buildErrorReply(error: AppError, requestId: string): ErrorReply {
  return {
    code: error.code,
    ...(error.message ? { message: error.message } : {}),
    ...(error.fields ? { fields: error.fields } : {}),
    ...(error.code === 'internal' ? { requestId } : {}),
  }
}

/**
 * Sends every error. Unexpected ones are logged with the request id, and the response reveals only that id. A refusal
 * without a cause, such as one because of load, is not: a flood of requests must not fill the log.
 */
export function createErrorHandler(
  buildBody: (error: AppError, requestId: string) => unknown,
  contentType = 'application/json; charset=utf-8',
) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const appError = asAppError(error)
    const { status } = errors[appError.code]
    reply.errorCode = appError.code
    if (status >= 500 && appError.cause !== undefined)
      request.log.error({ err: appError.cause, requestId: request.id }, appError.code)
    if (request.raw.socket.destroyed) request.log.debug({ requestId: request.id }, 'the client left')
    if (appError.retryAfter !== undefined) reply.header('retry-after', String(appError.retryAfter))
    const body = JSON.stringify(buildBody(appError, request.id))
    await reply.code(status).type(contentType).send(body)
  }
}

/** Sends errors in the form of the contract. */
export const handleError = createErrorHandler(buildErrorReply)
