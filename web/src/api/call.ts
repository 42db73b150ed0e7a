import type { CallInput, EndpointShape, ReplyOf } from '@lyceum/contract/endpoint'
import { networkError, type Parts, parseReply, send } from './request.ts'

/** The result of a call: a Blob for files, nothing for 'none', otherwise the declared reply. */
export type Answer<E extends EndpointShape> = E['reply'] extends 'file'
  ? Blob
  : E['reply'] extends 'none'
    ? undefined
    : ReplyOf<E>

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** A call repeated with the same key is performed once. */
  idempotencyKey?: string | undefined
}

/** Makes a call of the contract. Throws `ApiError`. */
export async function call<E extends EndpointShape>(
  endpoint: E,
  input: CallInput<E>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<Answer<E>> {
  const response = await send(
    endpoint,
    input as Parts,
    endpoint.reply === 'file' ? '*/*' : 'application/json',
    signal,
    idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  )
  try {
    // The compiler cannot derive the result type from the schema.
    if (endpoint.reply === 'file') return (await response.blob()) as Answer<E>
    const text = await response.text()
    return parseReply(endpoint, response.status, text) as Answer<E>
  } catch (cause) {
    throw cause instanceof DOMException || cause instanceof TypeError ? networkError(cause) : cause
  }
}
