import type { ReplyEvent } from '@lyceum/contract/chats'
import type { CallInput, EndpointShape } from '@lyceum/contract/endpoint'
import { readServerEvents, type ServerEvent } from '#providers/assistant/server-events.ts'
import { buildPath } from './build-path.ts'
import type { TestUser } from './factories.ts'

export interface ReplyStream {
  status: number
  /** The error response; null for a stream. */
  refusal: { code?: string; message?: string } | null
  /** Everything read so far. */
  events: ReplyEvent[]
  /** Reads the next event; null at the end of the stream. */
  next(): Promise<ReplyEvent | null>
  /** Reads until an event of this type and returns it; null if the stream ends first. */
  readUntil<T extends ReplyEvent['type']>(type: T): Promise<Extract<ReplyEvent, { type: T }> | null>
  /** Reads to the end. */
  readToEnd(): Promise<ReplyEvent[]>
  /** Closes the connection before the end, as closing a browser tab does. */
  disconnect(): Promise<void>
}

async function* parseEvents(events: AsyncIterable<ServerEvent>): AsyncGenerator<ReplyEvent> {
  for await (const { id, data } of events) {
    const event = JSON.parse(data) as ReplyEvent
    if (id !== String(event.seq)) throw new Error(`The id of an event is not its sequence number: ${data}`)
    yield event
  }
}

/** Calls an endpoint over a real connection and reads its event stream. */
export async function openReplyStream<E extends EndpointShape>(
  baseUrl: string,
  endpoint: E,
  input: CallInput<E> & { as: TestUser; headers?: Record<string, string> },
): Promise<ReplyStream> {
  const { params, query, body } = input as {
    params?: Record<string, string>
    query?: Record<string, unknown>
    body?: unknown
  }
  const disconnected = new AbortController()
  const response = await fetch(`${baseUrl}${buildPath(endpoint, params, query)}`, {
    method: endpoint.method,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${input.as.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: disconnected.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const refusal = isStream ? null : ((await response.json()) as ReplyStream['refusal'])
  const source = isStream && response.body ? parseEvents(readServerEvents(response.body)) : null
  const events: ReplyEvent[] = []

  async function next(): Promise<ReplyEvent | null> {
    const step = await source?.next()
    if (!step || step.done) return null
    events.push(step.value)
    return step.value
  }

  return {
    status: response.status,
    refusal,
    events,
    next,
    async readUntil<T extends ReplyEvent['type']>(type: T) {
      for (let event = await next(); event; event = await next())
        if (event.type === type) return event as Extract<ReplyEvent, { type: T }>
      return null
    },
    async readToEnd() {
      while (await next());
      return events
    },
    async disconnect() {
      disconnected.abort()
      await source?.return(undefined).catch(() => undefined)
    },
  }
}
