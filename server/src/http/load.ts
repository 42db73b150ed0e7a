import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Requests and streams that one process handles at a time. More are refused with `server.busy`. */
const maxRequests = 200
const maxStreams = 500
const maxConnections = 2000

export interface Load {
  /** Counts a request as a stream from now on. Call the returned function when the stream ends. */
  beginStream(request: FastifyRequest): () => void
}

/** Limits how many requests, streams and connections the process handles at a time. */
export function limitLoad(app: FastifyInstance): Load {
  const requests = new Set<string>()
  let streams = 0
  app.server.maxConnections = maxConnections
  app.addHook('onRequest', async (request, reply) => {
    if (requests.size >= maxRequests && request.url.startsWith('/api/'))
      throw new AppError('server.busy', { retryAfter: 1 })
    requests.add(request.id)
    // Fastify skips `onResponse` when the connection closes before the response begins.
    reply.raw.once('close', () => requests.delete(request.id))
  })
  app.addHook('onResponse', async (request) => {
    requests.delete(request.id)
  })
  return {
    beginStream(request) {
      if (streams >= maxStreams) throw new AppError('server.busy', { retryAfter: 5 })
      requests.delete(request.id)
      streams += 1
      return () => {
        streams -= 1
      }
    },
  }
}
