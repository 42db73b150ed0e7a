import type { CallInput, EndpointShape, ReplyOf } from '@lyceum/contract/endpoint'
import { buildPath } from './build-path.ts'

/** Calls a separate server process over HTTP as a signed-in user. */
export interface HttpClient {
  call<E extends EndpointShape>(
    endpoint: E,
    input: CallInput<E> & { headers?: Record<string, string> },
  ): Promise<ReplyOf<E>>
  /** Returns the raw response, for streams and for calls that may be interrupted. */
  request(endpoint: EndpointShape, input: unknown, headers?: Record<string, string>): Promise<Response>
  upload(
    endpoint: EndpointShape,
    fields: Record<string, string>,
    file: { name: string; content: string | Uint8Array<ArrayBuffer> },
    headers?: Record<string, string>,
  ): Promise<Response>
}

interface CallParts {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}

export function createHttpClient(url: string, token: string): HttpClient {
  const authorization = { authorization: `Bearer ${token}` }
  const request: HttpClient['request'] = (endpoint, input, headers = {}) => {
    const { params, query, body } = input as CallParts
    return fetch(url + buildPath(endpoint, params, query), {
      method: endpoint.method,
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  return {
    request,
    async call(endpoint, input) {
      const response = await request(endpoint, input, input.headers)
      const text = await response.text()
      if (!response.ok)
        throw new Error(`${endpoint.method} ${endpoint.path} answered ${response.status}: ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as ReplyOf<typeof endpoint>
    },
    upload(endpoint, fields, file, headers = {}) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append(endpoint.upload?.field ?? 'file', new Blob([file.content]), file.name)
      return fetch(url + buildPath(endpoint), {
        method: endpoint.method,
        headers: { ...authorization, ...headers },
        body: form,
      })
    },
  }
}
