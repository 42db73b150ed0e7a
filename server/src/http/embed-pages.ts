import { embeddingApi } from '@lyceum/contract/embedding'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { getNetwork } from '#lib/network.ts'
import { notFound } from '../errors.ts'
import { createFramedHeaders } from './headers.ts'
import type { FindDocument } from './page-documents.ts'
import { parseInput } from './parse.ts'
import type { RateLimiter } from './rate-limit.ts'

interface Options {
  /** The sites on which a channel can be used. None if it does not exist. */
  listSites: (channelId: string) => Promise<readonly string[]>
  rateLimiter: RateLimiter
  findDocument: FindDocument
}

/** Sends a file of the web client. Its headers change only if it exists, so that no other page gets them. */
function sendPage(reply: FastifyReply, file: string, changeHeaders: () => void): FastifyReply {
  return reply.sendFile(file, { onFile: changeHeaders })
}

/** Serves the chat for a frame on other sites, and the page of the window in which members sign in to it. */
export function serveEmbedPages(
  app: FastifyInstance,
  { listSites, rateLimiter, findDocument }: Options,
): void {
  const config = { access: 'open' as const }

  app.get('/embed/:channelId', { config }, async (request, reply) => {
    await rateLimiter.consume('read', getNetwork(request.address))
    const { channelId } = parseInput(embeddingApi.describe.params, request.params)
    const sites = await listSites(channelId)
    if (sites.length === 0) throw notFound()
    return sendPage(reply, 'embed.html', () => {
      reply.removeHeader('x-frame-options').headers(createFramedHeaders(sites))
    })
  })

  app.get('/embed/:channelId/sign-in', { config }, async (request, reply) =>
    sendPage(reply, findDocument(request.url.split('?', 1)[0] ?? ''), () => {
      // The page hands the token to the frame that opened it, which a foreign page contains.
      reply.header('cross-origin-opener-policy', 'unsafe-none')
    }),
  )
}
