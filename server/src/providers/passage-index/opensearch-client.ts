import * as z from 'zod'
import { SearchUnavailable } from './port.ts'

/** The alias of the index does not exist, or no longer. */
export class IndexMissing extends SearchUnavailable {}

interface OpenSearchRequest<T> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** An array is sent as lines of JSON. */
  body?: object | readonly object[]
  /** What a usable answer looks like. */
  answer: z.ZodType<T>
  signal: AbortSignal
}

/** Throws `SearchUnavailable` unless OpenSearch does what it is asked. */
export type OpenSearchClient = <T>(request: OpenSearchRequest<T>) => Promise<T>

const failure = z.object({ error: z.object({ type: z.string(), reason: z.string().nullish() }) })
const missingTypes: ReadonlySet<string> = new Set(['index_not_found_exception', 'alias_not_found_exception'])

/** The error for an answer with this status. */
export function toFailure(status: number, answer: unknown): SearchUnavailable {
  const { error } = failure.safeParse(answer).data ?? {}
  if (status === 404 && error && missingTypes.has(error.type))
    return new IndexMissing(
      'The search index does not exist in OpenSearch. The server creates and fills it again.',
    )
  if (status === 401 || status === 403)
    return new SearchUnavailable('OpenSearch refused the user name or password, or a permission is missing.')
  const reason = error ? `: ${error.reason ?? error.type}` : ''
  return new SearchUnavailable(`OpenSearch answered with status ${status}${reason}.`)
}

function toConnectionFailure(error: unknown, host: string): SearchUnavailable {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: { code?: string } }
  if (name === 'TimeoutError')
    return new SearchUnavailable(`OpenSearch at ${host} did not answer in time.`, { cause: error })
  const reason = cause?.code ?? code
  return new SearchUnavailable(
    `OpenSearch at ${host} cannot be reached${reason === undefined ? '' : `: ${reason}`}.`,
    { cause: error },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function encodeBody(body: object): string {
  return Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body)
}

/** Credentials in the URL are sent as basic authentication, because `fetch` refuses such URLs. */
export function createOpenSearchClient(address: string): OpenSearchClient {
  const { origin, host, pathname, username, password } = new URL(address)
  const base = `${origin}${pathname.replace(/\/$/, '')}`
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const headers = {
    'content-type': 'application/json',
    ...(username === '' ? {} : { authorization: `Basic ${credentials.toString('base64')}` }),
  }

  return async ({ method, path, body, answer, signal }) => {
    let response: Response
    let text: string
    try {
      response = await fetch(`${base}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: encodeBody(body) }),
        redirect: 'error',
        signal,
      })
      text = await response.text()
    } catch (error) {
      throw toConnectionFailure(error, host)
    }
    const json = parseJson(text)
    if (!response.ok) throw toFailure(response.status, json)
    const parsed = answer.safeParse(json)
    if (parsed.success) return parsed.data
    throw new SearchUnavailable(
      `The server at ${host} does not answer as OpenSearch does. Check OPENSEARCH_URL.`,
      { cause: parsed.error },
    )
  }
}
