import { type Deadline, startDeadline } from './deadline.ts'
import type { AssistantsEndpoint } from './endpoint.ts'
import { ModelError } from './port.ts'
import type { Transport } from './transport.ts'

const maxJsonBytes = 8 * 1024 * 1024

interface ThreadCall {
  method: 'GET' | 'POST'
  /** Path segments below the server's URL. */
  path: readonly string[]
  query?: Readonly<Record<string, string>>
  body?: object
  deadline: Deadline
}

/** Calls a server with the Assistants API. Failures are `ModelError`s of the transport. */
export interface ThreadClient {
  fetchJson(request: ThreadCall): Promise<unknown>
  fetchEvents(request: ThreadCall): Promise<ReadableStream<Uint8Array>>
}

/** Ids come from the other server; `..` would lead to another path. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,200}$/

function buildUrl({ baseUrl }: AssistantsEndpoint, { path, query = {} }: ThreadCall): URL {
  if (!path.every((part) => segment.test(part)))
    throw new ModelError('assistant.unavailable', 'an id contains characters that are not allowed in a URL')
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.join('/')}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

export function createThreadClient(
  endpoint: AssistantsEndpoint,
  transport: Transport,
  onRetry: (detail: string) => void,
): ThreadClient {
  function send(request: ThreadCall, expects: 'json' | 'stream'): Promise<Response> {
    const { method, body, deadline } = request
    const url = buildUrl(endpoint, request)
    transport.register({ deadline, expects, maxJsonBytes, bufferedJson: null, onRetry })
    return transport.fetch(url, {
      method,
      headers: {
        accept: expects === 'stream' ? 'text/event-stream' : 'application/json',
        'openai-beta': 'assistants=v2',
        ...(endpoint.apiKey ? { authorization: `Bearer ${endpoint.apiKey}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: deadline.signal,
    })
  }
  return {
    fetchJson: async (request) => (await send(request, 'json')).json(),
    async fetchEvents(request) {
      const { body } = await send(request, 'stream')
      if (!body) throw new ModelError('assistant.unavailable', 'the endpoint returned an empty response')
      return body
    },
  }
}

/** Runs a short call outside a reply, with its own time limit. */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const timeouts = { firstMs: ms, firstReasoningMs: ms, idleMs: ms, totalMs: ms }
  const deadline = startDeadline(timeouts, false, signal)
  try {
    return await work(deadline)
  } catch (error) {
    throw deadline.getTimeoutError() ?? error
  } finally {
    deadline.end()
  }
}
