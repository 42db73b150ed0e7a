import type {
  BodyOf,
  EndpointShape,
  EventOf,
  FieldsOf,
  ParamsOf,
  QueryOf,
  ReplyOf,
} from '@lyceum/contract/endpoint'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import type * as z from 'zod/mini'

/** A call that the fake server received. */
export interface FakeRequest<E extends EndpointShape> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  fields: FieldsOf<E>
  file: File | null
  headers: Headers
  signal: AbortSignal | null
}

type HandlerResult<E extends EndpointShape> = E['reply'] extends 'file'
  ? Blob
  : E['reply'] extends 'none'
    ? undefined
    : ReplyOf<E>

type Handler<E extends EndpointShape> = (
  request: FakeRequest<E>,
) => HandlerResult<E> | Response | Promise<HandlerResult<E> | Response>

interface Route {
  endpoint: EndpointShape
  pattern: RegExp
  respond: (request: FakeRequest<EndpointShape>) => Promise<Response>
  requests: FakeRequest<EndpointShape>[]
}

interface RawRequest {
  method: string
  url: string
  headers: Headers
  body: BodyInit | null
  signal: AbortSignal | null
}

/** An error response with one of the contract's codes. */
export function refuse(code: ErrorCode, fields?: Record<string, string>, retryAfter?: number): Response {
  return Response.json(
    { code, ...(errors[code].message === '' ? {} : { message: errors[code].message }), fields },
    {
      status: errors[code].status,
      ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
    },
  )
}

/** Simulates a lost connection: the call gets no response. */
export class NoNetwork extends Error {}

function createPattern(path: string): RegExp {
  return new RegExp(`^/api${path.replaceAll(/:(\w+)/g, (_, name: string) => `(?<${name}>[^/]+)`)}$`)
}

function parseOptional<S extends z.ZodMiniType>(schema: S | undefined, value: unknown): unknown {
  return schema === undefined ? undefined : schema.parse(value)
}

async function createResponse(endpoint: EndpointShape, value: unknown): Promise<Response> {
  if (value instanceof Response) return value
  if (endpoint.reply === 'file') {
    const file = value as Blob
    // Bytes, because Node's Response does not accept jsdom's Blob.
    return new Response(await file.arrayBuffer(), { headers: { 'Content-Type': file.type } })
  }
  if (endpoint.reply === 'none') return new Response(null, { status: 204 })
  return Response.json(endpoint.reply.parse(value))
}

/** Streams numbered events, validated against the contract. A waiting generator keeps the connection open. */
export function streamOf<E extends EndpointShape>(
  endpoint: E,
  events: Iterable<EventOf<E>> | AsyncIterable<EventOf<E>>,
): Response {
  const encoder = new TextEncoder()
  function serialize(event: EventOf<E>): string {
    const checked = endpoint.events?.parse(event)
    const seq = (checked as { seq?: number } | undefined)?.seq ?? ''
    return `id: ${seq}\ndata: ${JSON.stringify(checked)}\n\n`
  }
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      for await (const event of events) controller.enqueue(encoder.encode(serialize(event)))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

function readBody(endpoint: EndpointShape, body: BodyInit | null) {
  if (body instanceof FormData) {
    const file = endpoint.upload === undefined ? null : body.get(endpoint.upload.field)
    const text = Object.fromEntries([...body].filter(([, value]) => typeof value === 'string'))
    return {
      body: undefined,
      file: file instanceof File ? file : null,
      fields: parseOptional(endpoint.upload?.fields, text),
    }
  }
  const json: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  return { body: parseOptional(endpoint.body, json), file: null, fields: undefined }
}

/**
 * A fake server behind fetch and XMLHttpRequest. It validates requests and responses against the contract: a response
 * that the real server could not send fails the test. Calls without a handler get a 404 and are recorded.
 */
export class FakeApi {
  readonly unhandledCalls: string[] = []
  #routes: Route[] = []

  /** Sets the handler of an endpoint, replacing an earlier one. */
  on<E extends EndpointShape>(endpoint: E, handler: Handler<E>): this {
    this.#routes = this.#routes.filter((route) => route.endpoint !== endpoint)
    this.#routes.push({
      endpoint,
      pattern: createPattern(endpoint.path),
      requests: [],
      respond: async (request) =>
        createResponse(endpoint, await handler(request as unknown as FakeRequest<E>)),
    })
    return this
  }

  /** The calls of an endpoint, oldest first. */
  calls<E extends EndpointShape>(endpoint: E): FakeRequest<E>[] {
    const route = this.#routes.find((candidate) => candidate.endpoint === endpoint)
    return (route?.requests ?? []) as unknown as FakeRequest<E>[]
  }

  async handle(raw: RawRequest): Promise<Response> {
    const url = new URL(raw.url, 'http://localhost')
    for (const route of this.#routes) {
      const match = route.pattern.exec(url.pathname)
      if (route.endpoint.method !== raw.method || match === null) continue
      const names = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)])
      const request = {
        params: parseOptional(route.endpoint.params, Object.fromEntries(names)),
        query: parseOptional(route.endpoint.query, Object.fromEntries(url.searchParams)),
        ...readBody(route.endpoint, raw.body),
        headers: raw.headers,
        signal: raw.signal,
      } as unknown as FakeRequest<EndpointShape>
      route.requests.push(request)
      return route.respond(request)
    }
    this.unhandledCalls.push(`${raw.method} ${url.pathname}`)
    return refuse('not_found')
  }
}
