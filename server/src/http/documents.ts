import type { FastifyInstance } from 'fastify'

/** Serves documents that do not change while the server runs, by their paths. Everyone can read them. */
export function serveDocuments(app: FastifyInstance, documents: ReadonlyMap<string, object>): void {
  for (const [path, document] of documents) {
    const body = JSON.stringify(document)
    app.get(path, { config: { access: 'open' } }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(body),
    )
  }
}
