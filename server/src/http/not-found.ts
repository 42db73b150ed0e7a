import type { EndpointShape } from '@lyceum/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../errors.ts'

function createPathPattern(path: string): RegExp {
  return new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`)
}

function readPath({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

function isPage(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && !/^\/(api|assets)(\/|$)/.test(readPath(request))
}

/** Handles unmatched requests: the web client's page for browsers, 405 for a known path, otherwise 404. */
export function handleUnmatched(
  app: FastifyInstance,
  served: ReadonlySet<EndpointShape>,
  hasWeb: boolean,
): void {
  const known = [...served].map(({ method, path }) => ({ method, pattern: createPathPattern(path) }))

  function requirePage(request: FastifyRequest, reply: FastifyReply): void {
    if (hasWeb && isPage(request)) return
    const path = readPath(request)
    const allowed = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    // If the method is allowed, the router rejected the path because a parameter is too long to exist.
    if (allowed.size === 0 || allowed.has(request.method as 'GET')) throw notFound()
    reply.header('allow', [...allowed].join(', '))
    throw new AppError('method.not_allowed')
  }

  // Refused here, before the body is read. The handler comes after it.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) requirePage(request, reply)
  })
  app.setNotFoundHandler(async (request, reply) => {
    // Files that the web client does not have arrive here without the hook.
    requirePage(request, reply)
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  })
}
