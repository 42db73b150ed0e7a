import type { EndpointShape } from '@lyceum/contract/endpoint'
import { errorReply } from '@lyceum/contract/error-reply'
import { connection } from '#lib/connection.ts'
import { log } from '#lib/log.ts'
import { nextTask } from '#lib/next-task.ts'
import { ApiError, isAborted } from './api-error.ts'
import { takeEarlyResponse } from './early-response.ts'
import { readToken } from './token.ts'

type Values = Record<string, unknown>

/** The input of a call, without the types of its endpoint. */
export interface UntypedInput {
  params?: Values | undefined
  query?: Values | undefined
  body?: unknown
}

/** Builds the URL of a call: fills in `:name` parameters and omits empty query values. */
export function buildUrl(endpoint: EndpointShape, { params = {}, query = {} }: UntypedInput): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return `/api${path}${text === '' ? '' : `?${text}`}`
}

export function createCommonHeaders(): Record<string, string> {
  const token = readToken()
  return {
    // Without this header, ngrok tunnels answer the first request with a warning page.
    'ngrok-skip-browser-warning': 'true',
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  }
}

let handleUnauthorized: (token: string | null) => void = () => undefined

/** The handler is called on every 401 with the token of the call. The session decides what to do. */
export function setUnauthorizedHandler(handler: (token: string | null) => void): () => void {
  handleUnauthorized = handler
  return () => {
    handleUnauthorized = () => undefined
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Creates the error for a failed response. Notifies the session of a 401. */
export function createResponseError(
  status: number,
  text: string,
  token: string | null,
  retryAfter: number | null = null,
): ApiError {
  if (status === 401) handleUnauthorized(token)
  const parsed = errorReply.safeParse(unwrap(parseJson(text)))
  if (!parsed.success) return new ApiError(status, 'unknown', '', {}, retryAfter)
  return new ApiError(status, parsed.data.code, parsed.data.message, parsed.data.fields, retryAfter)
}

/** Our server sends seconds. A date, which a proxy might send, is ignored. */
function parseRetryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

/** Replies may be wrapped as `{ data: … }`; no reply of the contract has a field `data`. */
function unwrap(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'data' in value ? value.data : value
}

/** Parses the body of a successful response and validates it against the contract. */
export function parseReply(endpoint: EndpointShape, status: number, text: string): unknown {
  if (typeof endpoint.reply === 'string') return undefined
  const parsed = endpoint.reply.safeParse(unwrap(parseJson(text)))
  if (parsed.success) return parsed.data
  log('A response did not match the contract', endpoint.path, parsed.error.issues)
  throw new ApiError(status, 'reply')
}

export function createFetchError(cause: unknown): ApiError {
  return cause instanceof DOMException && cause.name === 'AbortError'
    ? new ApiError(0, 'aborted')
    : new ApiError(0, 'network')
}

/** Sends a request. Resolves only with a successful response. */
export async function send(
  endpoint: EndpointShape,
  parts: UntypedInput,
  accept: string,
  signal: AbortSignal | undefined,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const headers: Record<string, string> = { ...createCommonHeaders(), ...extraHeaders, Accept: accept }
  const token = readToken()
  const body = parts.body === undefined ? null : JSON.stringify(parts.body)
  if (body !== null) headers['Content-Type'] = 'application/json'
  const url = buildUrl(endpoint, parts)
  const { method } = endpoint
  // A page sends up to ten requests once it is rendered. In one task, they would block a slow phone.
  await nextTask()
  let response: Response
  try {
    response = await (takeEarlyResponse(url, token) ??
      fetch(url, { method, headers, body, signal: signal ?? null }))
  } catch (cause) {
    const error = createFetchError(cause)
    if (!isAborted(error)) connection.setReachable(false)
    throw error
  }
  connection.setReachable(true)
  if (response.ok) return response
  const text = await response.text().catch(() => '')
  throw createResponseError(response.status, text, token, parseRetryAfter(response))
}
