import type {
  BodyOf,
  EndpointShape,
  EventOf,
  FieldsOf,
  ParamsOf,
  QueryOf,
  RateClass,
  ReplyOf,
} from '@lyceum/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { type Actor, type BrowserCookies, type Client, can, requirePermission } from '../actor.ts'
import { AppError } from '../errors.ts'
import type { FileReply } from '../files/file-reply.ts'
import type { ReceivedFile } from '../files/store-file.ts'
import { getNetwork } from '../lib/network.ts'
import { createBrowserCookies } from './cookies.ts'
import { formatNumberedEvent, type NumberedEvent, sendEvents } from './event-stream.ts'
import type { Load } from './load.ts'
import { parseInput } from './parse.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createRecheck, type RecheckOptions } from './recheck.ts'
import { destroyOnShutdown, sendFile } from './send-file.ts'
import type { SlotKind } from './slots.ts'
import { receiveUpload, type UploadOptions } from './uploads.ts'

/** The parsed input of a handler, without HTTP types. */
interface Call<E extends EndpointShape> {
  actor: E['access'] extends 'public' ? null : Actor
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  fields: FieldsOf<E>
  file: ReceivedFile | null
  client: Client
  browser: BrowserCookies
  /** The `Idempotency-Key` header. Each feature scopes it to the user. */
  idempotencyKey: string | null
  /** The `Last-Event-ID` header, which browsers send when they reconnect to an event stream; 0 without it. */
  lastEventId: number
  /** For a file that is generated while it is sent: throws once the caller has lost access. */
  recheck: () => Promise<void>
}

type HandlerResult<E extends EndpointShape> = E['reply'] extends 'file'
  ? FileReply
  : E['reply'] extends 'none'
    ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
      void
    : ReplyOf<E>

type Handler<E extends EndpointShape> = (call: Call<E>) => Promise<HandlerResult<E>>

interface EventHandler<E extends EndpointShape> {
  /** Throws if the call is rejected. Failures after the first event are sent as events. */
  start: (call: Call<E>) => Promise<AsyncIterable<EventOf<E> & { seq: number; type: string }>>
  /** The JSON reply for clients that do not stream, built after the last event. */
  reply: (call: Call<E>, last: EventOf<E>) => Promise<ReplyOf<E>>
  /** Called every few seconds during a stream. Returns whether the reader still has access. */
  recheck: (call: Call<E>) => Promise<boolean>
}

export interface HttpOptions extends RecheckOptions, UploadOptions {
  authenticate: (token: string, client: Client) => Promise<Actor | null>
  rateLimiter: RateLimiter
  load: Load
  /** Whether users reach this server over HTTPS. */
  isHttps: boolean
  stopping: AbortSignal
}

export interface Http {
  serve<E extends EndpointShape>(endpoint: E, handler: Handler<E>): void
  serveEvents<E extends EndpointShape>(endpoint: E, handler: EventHandler<E>): void
  /** The endpoints bound so far, for the API description and the permission tests. */
  readonly served: ReadonlySet<EndpointShape>
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    /** The client's IP address, kept because `ip` is undefined once the client has left. */
    address: string
  }
  interface FastifyContextConfig {
    access?: EndpointShape['access'] | 'open' | 'api-key'
    slot?: SlotKind
    /** Answered even when the server is overloaded. */
    isProbe?: true
    isForm?: true
  }
}

export function getClient(request: FastifyRequest): Client {
  return {
    ip: request.address,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  }
}

const bearerPattern = /^Bearer ([A-Za-z0-9_.-]{1,4096})$/

const idempotencyKeyPattern = /^[A-Za-z0-9_-]{8,100}$/

function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key
  throw new AppError('request.malformed', {
    message: 'The Idempotency-Key must be 8 to 100 letters, digits, - or _',
  })
}

/** An unusable value counts as none, because the reader then gets all events. */
function readLastEventId(request: FastifyRequest): number {
  const id = request.headers['last-event-id']
  return typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : 0
}

function checkAccess(actor: Actor, access: EndpointShape['access']): void {
  if (access === 'public' || access === 'signed-in') return
  if (access !== 'system-admin') requirePermission(actor, access)
  else if (!actor.isSystemAdmin)
    throw new AppError('permission.denied', { message: 'Only a system administrator can do this' })
}

/** A sign-in on another site may only make the calls that declare it, and only in its channel. */
function checkBinding({ boundChannelId }: Actor, { embeddedParam }: EndpointShape, params: unknown): void {
  if (boundChannelId === null) return
  const values = params as Readonly<Record<string, string>>
  if (embeddedParam === undefined || values[embeddedParam] !== boundChannelId)
    throw new AppError('permission.denied', {
      message: 'This sign-in can only be used to chat in its channel',
    })
}

function chooseSlot({ events, upload, reply, limit }: EndpointShape): SlotKind {
  if (events) return 'stream'
  if (upload) return 'upload'
  if (reply !== 'file') return 'request'
  // Exports are generated while they are sent. Other files are only read.
  return limit === undefined ? 'file' : 'export'
}

/** Searches, exports, uploads, replies, and sign-ins, which hash passwords. */
const heavyClasses: ReadonlySet<RateClass> = new Set(['message', 'upload', 'history', 'export', 'sign-in'])

function isHeavy(endpoint: EndpointShape): boolean {
  return endpoint.isHeavy ?? (endpoint.limit !== undefined && heavyClasses.has(endpoint.limit))
}

/** Smaller limits in bytes for bodies that are accepted without a session. The server's limit applies to all others. */
const bodyLimits: Partial<Record<RateClass, number>> = { 'sign-in': 4096, forgot: 1024, registration: 8192 }

/**
 * Binds endpoints to Fastify. Session, permission and rate limit are checked before the body is read; then the input
 * is validated and the handler runs.
 */
export function createHttp(app: FastifyInstance, options: HttpOptions): Http {
  const served = new Set<EndpointShape>()

  function createAccessHook(endpoint: EndpointShape) {
    return async (request: FastifyRequest) => {
      if (isHeavy(endpoint)) options.load.requireHeavyCapacity()
      const limitClass = endpoint.limit ?? (endpoint.method === 'GET' ? 'read' : 'write')
      if (endpoint.access === 'public') {
        await options.rateLimiter.consume(limitClass, getNetwork(request.address))
        return
      }
      const token = bearerPattern.exec(request.headers.authorization ?? '')?.[1]
      const actor = token ? await options.authenticate(token, getClient(request)) : null
      if (!actor) throw new AppError('auth.session_ended')
      request.actor = actor
      checkBinding(actor, endpoint, request.params)
      checkAccess(actor, endpoint.access)
      await options.rateLimiter.consume(limitClass, actor.userId, {
        canUploadDocuments: can(actor, 'canUploadDocuments'),
      })
    }
  }

  function readCall(
    endpoint: EndpointShape,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Call<EndpointShape> {
    const { actor } = request
    return {
      actor: actor as never,
      params: parseInput(endpoint.params, request.params) as never,
      query: parseInput(endpoint.query, request.query) as never,
      body: parseInput(endpoint.body, request.body ?? {}) as never,
      fields: undefined as never,
      file: null,
      client: getClient(request),
      browser: createBrowserCookies(request, reply, options.isHttps),
      idempotencyKey: readIdempotencyKey(request),
      lastEventId: readLastEventId(request),
      recheck: actor ? createRecheck(options, actor, endpoint.access) : async () => undefined,
    }
  }

  function sendFileOf({ path, contentTypes }: EndpointShape, file: FileReply, reply: FastifyReply) {
    const [type = ''] = file.mimeType.split(';', 1)
    if (!contentTypes?.includes(type)) throw new Error(`${path} does not declare the type ${type}`)
    destroyOnShutdown(file, options.stopping)
    return sendFile(reply, file)
  }

  function sendResult(endpoint: EndpointShape, value: unknown, reply: FastifyReply): FastifyReply {
    if (endpoint.reply === 'none') return reply.code(204).send()
    if (endpoint.reply === 'file') return sendFileOf(endpoint, value as FileReply, reply)
    const checked = z.core.parse(endpoint.reply, value)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(checked))
  }

  function route(
    endpoint: EndpointShape,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) {
    served.add(endpoint)
    const bodyLimit = endpoint.limit && bodyLimits[endpoint.limit]
    const slot = chooseSlot(endpoint)
    app.route({
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      // HEAD would generate the whole file and be audited as a download.
      exposeHeadRoute: endpoint.reply !== 'file',
      config: { access: endpoint.access, slot, ...(endpoint.isForm ? { isForm: true } : {}) },
      onRequest: createAccessHook(endpoint),
      // By now the body is complete, except that of an upload.
      preValidation: async (request, reply) => {
        options.load.takeSlot(slot, request, reply)
        // Only the beginning waits for its turn: an upload may take minutes, and a sign-in waits for the mail server.
        if (isHeavy(endpoint) && !endpoint.events) await options.load.startHeavy(async () => undefined)
      },
      handler,
    })
  }

  return {
    served,
    serve(endpoint, handler) {
      const handle = handler as unknown as (call: Call<EndpointShape>) => Promise<unknown>
      route(endpoint, async (request, reply) => {
        const call = readCall(endpoint, request, reply)
        const { upload } = endpoint as EndpointShape
        const value = upload
          ? await receiveUpload(request, upload, options, ({ file, fields }) =>
              handle({ ...call, file, fields: fields as never }),
            )
          : await handle(call)
        return sendResult(endpoint, value, reply)
      })
    },
    serveEvents(endpoint, handler) {
      const { start, reply: toReply, recheck } = handler as unknown as EventHandler<EndpointShape>
      async function begin(call: Call<EndpointShape>) {
        const events = (await start(call))[Symbol.asyncIterator]() as AsyncIterator<NumberedEvent>
        const first = await events.next()
        if (first.done) throw new Error(`${endpoint.path} ended without an event`)
        return { events, first: first.value }
      }
      async function run(call: Call<EndpointShape>, wantsEvents: boolean, reply: FastifyReply) {
        // A reply that is only followed is light, and its next event may take long.
        const { events, first } = isHeavy(endpoint)
          ? await options.load.startHeavy(() => begin(call))
          : await begin(call)
        if (wantsEvents)
          return sendEvents(reply, first, events, {
            format: formatNumberedEvent,
            stopping: options.stopping,
            recheck: () => recheck(call),
          })
        let last = first
        for (let next = await events.next(); !next.done; next = await events.next()) last = next.value
        return sendResult(endpoint, await toReply(call, last as never), reply)
      }
      route(endpoint, async (request, reply) => {
        const call = readCall(endpoint, request, reply)
        return run(call, request.headers.accept?.includes('text/event-stream') ?? false, reply)
      })
    },
  }
}
