import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Requests under way beside the streams, and streams; one more is told to come back. */
const requestsMaximum = 200
const streamsMaximum = 500
const socketsMaximum = 2000

export interface Load {
  /** Counts a request as a stream from here on; call the result when it ends. */
  beginStream(request: FastifyRequest): () => void
}

/** Bounds what one node takes on at once. */
export const boundLoad = (app: FastifyInstance): Load => {
  const requests = new Set<string>()
  let streams = 0
  app.server.maxConnections = socketsMaximum
  app.addHook('onRequest', async (request) => {
    if (requests.size >= requestsMaximum && request.url.startsWith('/api/'))
      throw new AppError('server.busy', { retryAfter: 1 })
    requests.add(request.id)
  })
  app.addHook('onResponse', async (request) => {
    requests.delete(request.id)
  })
  return {
    beginStream(request) {
      if (streams >= streamsMaximum) throw new AppError('server.busy', { retryAfter: 5 })
      requests.delete(request.id)
      streams += 1
      return () => {
        streams -= 1
      }
    },
  }
}
