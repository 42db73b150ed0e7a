import { type Deadline, startDeadline } from './deadline.ts'
import type { AssistantsEndpoint } from './endpoint.ts'
import { ModelError } from './port.ts'
import type { Wire } from './wire.ts'

const maxJsonBytes = 8 * 1024 * 1024

interface Request {
  method: 'GET' | 'POST'
  /** Below the address of the server, segment by segment. */
  path: readonly string[]
  query?: Readonly<Record<string, string>>
  body?: object
  deadline: Deadline
}

/** Calls of a server that speaks the Assistants protocol. Failures are those of the wire: `ModelError`. */
export interface ThreadClient {
  json(request: Request): Promise<unknown>
  events(request: Request): Promise<ReadableStream<Uint8Array>>
}

/** Ids are chosen by the other side, and one of dots would lead to another path. */
const segment = /^(?!\.{1,2}$)[A-Za-z0-9_.:-]{1,200}$/

function urlOf({ baseUrl }: AssistantsEndpoint, { path, query = {} }: Request): URL {
  if (!path.every((part) => segment.test(part)))
    throw new ModelError('assistant.unavailable', 'an id cannot be part of an address')
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.join('/')}`
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

export function createThreadClient(
  endpoint: AssistantsEndpoint,
  wire: Wire,
  onRetry: (detail: string) => void,
): ThreadClient {
  function send(request: Request, expects: 'json' | 'stream'): Promise<Response> {
    const { method, body, deadline } = request
    const url = urlOf(endpoint, request)
    wire.open({ deadline, expects, maxJsonBytes, kept: null, onRetry })
    return wire.fetch(url, {
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
    json: async (request) => (await send(request, 'json')).json(),
    async events(request) {
      const { body } = await send(request, 'stream')
      if (!body) throw new ModelError('assistant.unavailable', 'the endpoint answered with nothing')
      return body
    },
  }
}

/** A short call that stands beside a reply, or alone. */
export async function withinTime<T>(
  ms: number,
  signal: AbortSignal,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const timeouts = { firstMs: ms, firstReasoningMs: ms, idleMs: ms, totalMs: ms }
  const deadline = startDeadline(timeouts, false, signal)
  try {
    return await work(deadline)
  } catch (error) {
    throw deadline.expired() ?? error
  } finally {
    deadline.end()
  }
}
