import type { CallInput, EndpointShape, FieldsOf, ReplyOf } from '@lyceum/contract/endpoint'
import { ApiError } from './api-error.ts'
import {
  buildUrl,
  createCommonHeaders,
  createResponseError,
  parseReply,
  type UntypedInput,
} from './request.ts'
import { readToken } from './token.ts'

type UploadEndpoint = EndpointShape & Required<Pick<EndpointShape, 'upload'>>

export type UploadInput<E extends UploadEndpoint> = CallInput<E> & {
  file: File
  fields: FieldsOf<E>
}

export interface UploadOptions {
  signal?: AbortSignal | undefined
  /** Called with the fraction of the request that was sent, from 0 to 1. */
  onProgress?: (progress: number) => void
  /** The same for every attempt at one upload, so that the server stores it once. */
  idempotencyKey?: string
}

function createFormData(endpoint: UploadEndpoint, file: File, fields: object): FormData {
  const form = new FormData()
  // Append the fields before the file, because the server reads the parts in order and needs the fields first.
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  form.set(endpoint.upload.field, file)
  return form
}

/** Makes a multipart call. Uses XMLHttpRequest because fetch reports no upload progress. */
export function upload<E extends UploadEndpoint>(
  endpoint: E,
  input: UploadInput<E>,
  { signal, onProgress, idempotencyKey }: UploadOptions = {},
): Promise<ReplyOf<E>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const token = readToken()
    function abort(): void {
      request.abort()
    }
    request.open(endpoint.method, buildUrl(endpoint, input as UntypedInput))
    for (const [name, value] of Object.entries(createCommonHeaders())) request.setRequestHeader(name, value)
    request.setRequestHeader('Accept', 'application/json')
    if (idempotencyKey !== undefined) request.setRequestHeader('Idempotency-Key', idempotencyKey)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      if (request.status < 200 || request.status > 299) {
        reject(createResponseError(request.status, request.responseText, token))
        return
      }
      try {
        resolve(parseReply(endpoint, request.status, request.responseText) as ReplyOf<E>)
      } catch (cause) {
        reject(cause)
      }
    }
    request.onerror = () => reject(new ApiError(0, 'network'))
    request.onabort = () => reject(new ApiError(0, 'aborted'))
    request.onloadend = () => signal?.removeEventListener('abort', abort)
    if (signal?.aborted) {
      reject(new ApiError(0, 'aborted'))
      return
    }
    signal?.addEventListener('abort', abort)
    request.send(createFormData(endpoint, input.file, input.fields ?? {}))
  })
}
