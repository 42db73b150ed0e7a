import type { EndpointShape } from '@lyceum/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, notFound } from '../errors.ts'
import type { FindDocument } from './page-documents.ts'

interface KnownPath {
  pattern: RegExp
  parameters: number
  methods: EndpointShape['method'][]
}

/** Those without parameters come first, as in the router: `/documents/bulk` is not a document. */
function listKnownPaths(served: ReadonlySet<EndpointShape>): KnownPath[] {
  const known = new Map<string, KnownPath>()
  for (const { method, path } of served) {
    const same = known.get(path)
    if (same) same.methods.push(method)
    else {
      const pattern = new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`)
      known.set(path, { pattern, parameters: path.split(':').length - 1, methods: [method] })
    }
  }
  return [...known.values()].toSorted((a, b) => a.parameters - b.parameters)
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
  findDocument: FindDocument | null,
): void {
  const known = listKnownPaths(served)

  /** Returns the document to send. */
  function requirePage(request: FastifyRequest, reply: FastifyReply): string {
    const path = readPath(request)
    if (findDocument && isPage(request)) return findDocument(path)
    const { methods = [] } = known.find(({ pattern }) => pattern.test(path)) ?? {}
    // If the method is allowed, the router rejected the path because a parameter is too long to exist.
    if (methods.length === 0 || methods.includes(request.method as 'GET')) throw notFound()
    reply.header('allow', methods.join(', '))
    throw new AppError('method.not_allowed')
  }

  // Refused here, before the body is read. The handler comes after it.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) requirePage(request, reply)
  })
  // Not async: each promise for a reply adds listeners to it, and Node warns about more than ten.
  app.setNotFoundHandler((request, reply) => {
    // Files that the web client does not have arrive here without the hook.
    const document = requirePage(request, reply)
    reply.header('cache-control', 'no-cache').sendFile(document)
  })
}
