import type { CallInput, EndpointShape, ReplyOf } from '@lyceum/contract/endpoint'
import { createFetchError, parseReply, send, type UntypedInput } from './request.ts'

/** The result of a call: a Blob for files, nothing for 'none', otherwise the declared reply. */
export type CallResult<E extends EndpointShape> = E['reply'] extends 'file'
  ? Blob
  : E['reply'] extends 'none'
    ? undefined
    : ReplyOf<E>

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The server performs calls with the same key only once. */
  idempotencyKey?: string | undefined
}

/** Calls an endpoint of the contract. Throws `ApiError`. */
export async function call<E extends EndpointShape>(
  endpoint: E,
  input: CallInput<E>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<CallResult<E>> {
  const response = await send(
    endpoint,
    input as UntypedInput,
    endpoint.reply === 'file' ? '*/*' : 'application/json',
    signal,
    idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  )
  try {
    // The compiler cannot derive the result type from the schema.
    if (endpoint.reply === 'file') return (await response.blob()) as CallResult<E>
    const text = await response.text()
    return parseReply(endpoint, response.status, text) as CallResult<E>
  } catch (cause) {
    throw cause instanceof DOMException || cause instanceof TypeError ? createFetchError(cause) : cause
  }
}
