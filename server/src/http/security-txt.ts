import type { FastifyInstance } from 'fastify'
import { notFound } from '../errors.ts'

const validDays = 180
const day = 24 * 3_600_000

/** Names whom to tell about a security problem of this installation (RFC 9116), if its operator wants to be told. */
export function serveSecurityTxt(
  app: FastifyInstance,
  { contact, publicUrl, now }: { contact: string | undefined; publicUrl: string; now: () => number },
): void {
  const path = '/.well-known/security.txt'
  app.get(path, { config: { access: 'open' } }, async (_request, reply) => {
    if (contact === undefined) throw notFound()
    const expires = new Date(now() + validDays * day).toISOString()
    return reply
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${publicUrl}${path}\n`)
  })
}
