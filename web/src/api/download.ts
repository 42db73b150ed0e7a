import type { CallInput, EndpointShape } from '@lyceum/contract/endpoint'
import { networkError, type Parts, send } from './request.ts'

interface DownloadOptions {
  signal?: AbortSignal | undefined
  /** Called once, as soon as the file begins to come. */
  onStart?: (headers: Headers) => void
  /** Called with the bytes that have come so far, and those that came last. */
  onProgress: (bytes: number, piece: Uint8Array) => void
}

/** Fetches a file that the server may still be writing, and says how much of it is there. Throws `ApiError`. */
export async function download<E extends EndpointShape & { reply: 'file' }>(
  endpoint: E,
  input: CallInput<E>,
  { signal, onStart, onProgress }: DownloadOptions,
): Promise<Blob> {
  const response = await send(endpoint, input as Parts, '*/*', signal)
  onStart?.(response.headers)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    const reader = response.body?.getReader()
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      parts.push(read.value)
      bytes += read.value.length
      onProgress(bytes, read.value)
    }
  } catch (cause) {
    throw networkError(cause)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}
