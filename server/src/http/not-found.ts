import type { EndpointShape } from '@lyceum/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../errors.ts'

function createPathPattern(path: string): RegExp {
  return new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`)
}

/** Handles unmatched requests: the web client's page for browsers, 405 for a known path, otherwise 404. */
export function createNotFoundHandler(served: ReadonlySet<EndpointShape>, hasWeb: boolean) {
  const known = [...served].map(({ method, path }) => ({ method, pattern: createPathPattern(path) }))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const path = request.url.split('?', 1)[0] ?? ''
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets)(\/|$)/.test(path)
    if (hasWeb && isPage) return reply.header('cache-control', 'no-cache').sendFile('index.html')
    const allowed = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    // If the method is allowed, the router rejected the path because a parameter is too long to exist.
    if (allowed.size === 0 || allowed.has(request.method as 'GET')) throw notFound()
    reply.header('allow', [...allowed].join(', '))
    throw new AppError('method.not_allowed')
  }
}
