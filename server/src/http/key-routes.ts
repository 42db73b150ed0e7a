import type { RateClass } from '@lyceum/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RunTask } from '#lib/task-queue.ts'
import type { Actor, Client } from '../actor.ts'
import { AppError } from '../errors.ts'
import { getClient } from './endpoint.ts'
import { sendEvents } from './event-stream.ts'
import type { Load } from './load.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { SlotKind } from './slots.ts'

const maxBodyBytes = 1024 * 1024
/** A revoked key ends its streams within this time, in milliseconds. */
const recheckMs = 2000

const keyPattern = /^Bearer ([A-Za-z0-9_-]{1,200})$/i

export interface KeyCall<A> {
  access: A
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  body: unknown
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Aborts when the client leaves before the response is complete. */
  signal: AbortSignal
  /** Counts a message of the user and begins it when its turn has come. */
  startMessage: RunTask
}

interface KeyRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  limit: RateClass
  /** What the response occupies while it is under way: a request unless stated otherwise. */
  slot?: SlotKind
}

/** The chunks of a response that is streamed. */
interface KeyStream {
  /** Fails if the call is rejected before anything is sent. */
  chunks: AsyncIterable<string>
  /** Called every few seconds. Returns whether the key still gives access. */
  recheck: () => Promise<boolean>
}

type KeyRefusal = 'no-key' | 'invalid_token' | 'insufficient_scope'

interface Options<A> {
  authenticate: (key: string, client: Client) => Promise<A | null>
  /** The `WWW-Authenticate` header of a refusal: without a key, with one that is not valid, or with too few scopes. */
  buildChallenge: (refusal: KeyRefusal) => string
  rateLimiter: RateLimiter
  load: Load
  stopping: AbortSignal
}

/** What is sent as JSON, or a stream, or a response of a library. */
type KeyResult = object | KeyStream | Response

/** Serves protocols that others defined, to programs with an API key. */
export interface KeyRoutes<A> {
  serve(route: KeyRoute, handler: (call: KeyCall<A>) => Promise<KeyResult>): void
}

function isStream(result: object): result is KeyStream {
  return 'chunks' in result
}

async function sendStream(reply: FastifyReply, { chunks, recheck }: KeyStream, stopping: AbortSignal) {
  const rest = chunks[Symbol.asyncIterator]()
  const first = await rest.next()
  if (first.done) throw new Error('a stream ended without a chunk')
  return sendEvents(reply, first.value, rest, { format: (chunk) => chunk, recheck, recheckMs, stopping })
}

export function createKeyRoutes<A extends { actor: Actor }>(
  app: FastifyInstance,
  { authenticate, buildChallenge, rateLimiter, load, stopping }: Options<A>,
): KeyRoutes<A> {
  const accesses = new WeakMap<FastifyRequest, A>()

  async function admit(request: FastifyRequest, reply: FastifyReply, { limit }: KeyRoute): Promise<void> {
    if (limit === 'message') load.requireHeavyCapacity()
    const key = keyPattern.exec(request.headers.authorization ?? '')?.[1]
    const access = key ? await authenticate(key, getClient(request)) : null
    if (!access) {
      reply.header('www-authenticate', buildChallenge(key === undefined ? 'no-key' : 'invalid_token'))
      throw new AppError('api_key.invalid')
    }
    request.actor = access.actor
    accesses.set(request, access)
    await rateLimiter.consume(limit, access.actor.userId)
  }

  function watchClient({ raw }: FastifyReply): AbortSignal {
    const left = new AbortController()
    raw.once('close', () => {
      if (!raw.writableFinished) left.abort()
    })
    return left.signal
  }

  return {
    serve(route, handler) {
      app.route({
        method: route.method,
        url: route.path,
        bodyLimit: maxBodyBytes,
        config: { access: 'api-key' },
        exposeHeadRoute: false,
        onRequest: (request, reply) => admit(request, reply, route),
        preValidation: async (request, reply) => load.takeSlot(route.slot ?? 'request', request, reply),
        handler: async (request, reply) => {
          const access = accesses.get(request)
          if (!access) throw new AppError('api_key.invalid')
          const call: KeyCall<A> = {
            access,
            params: request.params as Record<string, string>,
            query: request.query as Record<string, unknown>,
            body: request.body,
            headers: request.headers,
            signal: watchClient(reply),
            async startMessage(work) {
              if (route.limit !== 'message') {
                load.requireHeavyCapacity()
                await rateLimiter.consume('message', access.actor.userId)
              }
              return load.startHeavy(work)
            },
          }
          const result = await handler(call).catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'api_key.scope')
              reply.header('www-authenticate', buildChallenge('insufficient_scope'))
            throw error
          })
          if (result instanceof Response) return reply.send(result)
          if (isStream(result)) return sendStream(reply, result, stopping)
          return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
        },
      })
    },
  }
}
