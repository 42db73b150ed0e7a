import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getNetwork } from '#lib/network.ts'

const usualMaxConnections = 2000
/** Requests on one connection that have no response yet. Browsers and proxies send one at a time. */
const maxUnanswered = 16

/**
 * When all connections are taken, the network that has the most gets no more, and loses its oldest one to any other. So
 * one client alone cannot keep the others out. Behind a proxy, all connections come from one network.
 */
function limitConnections(server: Server, maxConnections: number): void {
  const byNetwork = new Map<string, Set<Socket>>()
  let open = 0

  function close(network: string, socket: Socket): void {
    const sockets = byNetwork.get(network)
    if (!sockets?.delete(socket)) return
    open -= 1
    if (sockets.size === 0) byNetwork.delete(network)
    socket.destroy()
  }

  server.on('connection', (socket: Socket) => {
    // Each request listens for the end of its connection. Node warns about more than ten listeners.
    socket.setMaxListeners(10 + maxUnanswered)
    const network = getNetwork(socket.remoteAddress ?? '')
    const sockets = byNetwork.get(network) ?? new Set()
    byNetwork.set(network, sockets.add(socket))
    open += 1
    socket.once('close', () => close(network, socket))
    if (open <= maxConnections) return
    const [largest, [oldest = socket]] = [...byNetwork].reduce((most, each) =>
      each[1].size > most[1].size ? each : most,
    )
    if (sockets.size < (byNetwork.get(largest)?.size ?? 0)) close(largest, oldest)
    else close(network, socket)
  })
}

/** Returns whether to handle a request, which is not so once its connection has too many. */
function createPipelineLimit(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>()
  return ({ socket }, response) => {
    // The other requests that arrived in one piece with those before.
    if (socket.destroyed) return false
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > maxUnanswered) {
      socket.destroy()
      return false
    }
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    return true
  }
}

/** Limits what a client can occupy before its first request is handled. */
export function createLimitedServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  { maxConnections = usualMaxConnections }: { maxConnections?: number } = {},
): Server {
  const isWithinLimit = createPipelineLimit()
  const timeouts = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 10_000 }
  const server = createServer(timeouts, (request, response) => {
    if (isWithinLimit(request, response)) handle(request, response)
  })
  limitConnections(server, maxConnections)
  return server
}
