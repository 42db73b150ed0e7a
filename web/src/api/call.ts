import type { CallInput, EndpointShape, ReplyOf } from '@lyceum/contract/endpoint'
import { networkError, type Parts, parseReply, send } from './request.ts'

/** What a call resolves with: a file as a Blob, nothing for 'none', otherwise the reply the contract declares. */
export type Answer<E extends EndpointShape> = E['reply'] extends 'file'
  ? Blob
  : E['reply'] extends 'none'
    ? undefined
    : ReplyOf<E>

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Sent again with the same key, a call does its action once. */
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
    // The declared reply decides the type, which the compiler cannot follow through the schema.
    if (endpoint.reply === 'file') return (await response.blob()) as Answer<E>
    const text = await response.text()
    return parseReply(endpoint, response.status, text) as Answer<E>
  } catch (cause) {
    throw cause instanceof DOMException || cause instanceof TypeError ? networkError(cause) : cause
  }
}
