import type { ReplyEvent } from '@lyceum/contract/chats'
import type { CallInput, EndpointShape } from '@lyceum/contract/endpoint'
import type { Person } from './factories.ts'
import { pathOf } from './test-app.ts'

export interface ReplyStream {
  status: number
  /** What a refusal says; null for a stream. */
  refusal: { code?: string; message?: string } | null
  /** Everything read so far. */
  events: ReplyEvent[]
  /** The next event, or null at the end. */
  next(): Promise<ReplyEvent | null>
  /** Reads until an event of a type and answers with it; null when the stream ends before. */
  until<T extends ReplyEvent['type']>(type: T): Promise<Extract<ReplyEvent, { type: T }> | null>
  /** Reads to the end. */
  rest(): Promise<ReplyEvent[]>
  /** Goes away in the middle, as a closed tab does. */
  leave(): Promise<void>
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ReplyEvent> {
  const decoder = new TextDecoder()
  let waiting = ''
  for await (const chunk of body) {
    waiting += decoder.decode(chunk, { stream: true })
    const blocks = waiting.split('\n\n')
    waiting = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data === undefined) continue
      const event = JSON.parse(data) as ReplyEvent
      if (!block.includes(`id: ${event.seq}\n`)) throw new Error(`an event without its number: ${block}`)
      yield event
    }
  }
}

/** A declared call, read as a stream over a real connection. */
export async function openReplyStream<E extends EndpointShape>(
  baseUrl: string,
  endpoint: E,
  input: CallInput<E> & { as: Person; headers?: Record<string, string> },
): Promise<ReplyStream> {
  const { params, query, body } = input as {
    params?: Record<string, string>
    query?: Record<string, unknown>
    body?: unknown
  }
  const leaving = new AbortController()
  const response = await fetch(`${baseUrl}${pathOf(endpoint, params, query)}`, {
    method: endpoint.method,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${input.as.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: leaving.signal,
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const refusal = isStream ? null : ((await response.json()) as ReplyStream['refusal'])
  const source = isStream && response.body ? eventsIn(response.body as ReadableStream<Uint8Array>) : null
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
    async until<T extends ReplyEvent['type']>(type: T) {
      for (let event = await next(); event; event = await next())
        if (event.type === type) return event as Extract<ReplyEvent, { type: T }>
      return null
    },
    async rest() {
      while (await next());
      return events
    },
    async leave() {
      leaving.abort()
      await source?.return(undefined).catch(() => undefined)
    },
  }
}
