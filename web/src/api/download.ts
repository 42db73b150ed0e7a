import type { CallInput, EndpointShape } from '@lyceum/contract/endpoint'
import { createFetchError, send, type UntypedInput } from './request.ts'

interface DownloadOptions {
  signal?: AbortSignal | undefined
  /** Called once, when the first bytes arrive. */
  onStart?: (headers: Headers) => void
  /** Called with the number of bytes so far and the latest chunk. */
  onProgress: (bytes: number, chunk: Uint8Array) => void
}

/** Downloads a file that the server may still be writing and reports the progress. Throws `ApiError`. */
export async function download<E extends EndpointShape & { reply: 'file' }>(
  endpoint: E,
  input: CallInput<E>,
  { signal, onStart, onProgress }: DownloadOptions,
): Promise<Blob> {
  const response = await send(endpoint, input as UntypedInput, '*/*', signal)
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
    throw createFetchError(cause)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}
