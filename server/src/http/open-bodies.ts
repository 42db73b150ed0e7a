import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getNetwork } from '#lib/network.ts'
import { AppError } from '../errors.ts'

/** Bodies of which only a part has arrived. Most arrive together with the headers and are never counted. */
const maxOpen = 500
const maxOpenPerNetwork = 50
const checkMs = 10_000
/** An upload must bring at least this much between two checks: 10 KiB a second. Other bodies must be complete. */
const minBytesPerCheck = 10 * 1024 * (checkMs / 1000)
/** How long the rest of a body is discarded after the response, so that the client has time to read the response. */
const lingerMs = 5_000

/** Ends the request as Node ends one that exceeds its own time limits: with 408 if nothing was sent yet. */
function endSlowBody(app: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) raw.socket.destroy()
  else
    app.server.emit(
      'clientError',
      Object.assign(new Error('The body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
    )
}

/** Limits how many request bodies may be incomplete at a time, and how slowly they may arrive. */
export function limitOpenBodies(app: FastifyInstance): void {
  const openByNetwork = new Map<string, number>()
  let open = 0

  function add(network: string, change: 1 | -1): void {
    const next = (openByNetwork.get(network) ?? 0) + change
    if (next === 0) openByNetwork.delete(network)
    else openByNetwork.set(network, next)
    open += change
  }

  function watch(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request
    const isUpload = request.routeOptions.config.slot === 'upload'
    let received = raw.socket.bytesRead
    const timer = setInterval(() => {
      const before = received
      received = raw.socket.bytesRead
      if (!raw.complete && !(isUpload && received - before >= minBytesPerCheck))
        endSlowBody(app, request, reply)
    }, checkMs)
    timer.unref()
    const network = getNetwork(request.address)
    add(network, 1)
    raw.once('close', () => {
      clearInterval(timer)
      add(network, -1)
    })
  }

  app.addHook('preParsing', async (request, reply) => {
    // Requests made by `inject` have no `complete`.
    if (request.raw.complete !== false) return
    const isNetworkFull = (openByNetwork.get(getNetwork(request.address)) ?? 0) >= maxOpenPerNetwork
    if (isNetworkFull || open >= maxOpen) {
      reply.header('connection', 'close')
      throw new AppError(isNetworkFull ? 'rate.limited' : 'server.busy', { retryAfter: 5 })
    }
    watch(request, reply)
  })

  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete !== false) return
    raw.resume()
    const timer = setTimeout(() => raw.socket.destroy(), lingerMs)
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
  })
}
