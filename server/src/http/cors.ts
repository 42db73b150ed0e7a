import type { FastifyInstance } from 'fastify'

const allowedHeaders =
  'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, ngrok-skip-browser-warning'
const exposedHeaders = 'Content-Disposition, Retry-After, X-Total-Messages, X-Export-Cut'
const allowedMethods = 'GET, POST, PUT, DELETE'

/** Allows cross-origin calls from exactly these origins, without cookies. An empty list allows none. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api/')) return
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', exposedHeaders)
    // Overrides our default `Cross-Origin-Resource-Policy: same-origin`.
    reply.header('cross-origin-resource-policy', 'cross-origin')
  })
  app.options('/api/*', { config: { access: 'open' } }, async (_request, reply) =>
    reply
      .header('access-control-allow-methods', allowedMethods)
      .header('access-control-allow-headers', allowedHeaders)
      .header('access-control-max-age', '600')
      .code(204)
      .send(),
  )
}
