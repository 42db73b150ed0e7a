import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getNetwork } from '#lib/network.ts'
import { AppError } from '../errors.ts'
import { createSlots, type SlotKind } from './slots.ts'

const maxConnections = 2000
const maxUnreadMs = 60_000

export interface Load {
  /** Occupies a slot until the response or the connection has ended. Called when the body is complete. */
  takeSlot(kind: SlotKind, request: FastifyRequest, reply: FastifyReply): void
}

/** From the beginning of a response on: disconnects a client that stops reading, which frees its slot. */
export function limitUnreadTime({ raw }: FastifyRequest): void {
  // Node closes the connection then. Requests made by `inject` have no real socket.
  raw.socket.setTimeout?.(maxUnreadMs)
}

/** Calls back when the response has been sent or the client has left, possibly twice. */
function onEnd(request: FastifyRequest, reply: FastifyReply, callBack: () => void): void {
  const { socket } = request.raw
  function end(): void {
    stopWatching()
    socket.off('close', end)
    callBack()
  }
  const stopWatching = finished(reply.raw, { readable: false }, end)
  // A response that waits behind others on its connection hears nothing when the connection closes.
  socket.once('close', end)
}

/** Limits how many requests and connections the process handles at a time. */
export function limitLoad(app: FastifyInstance): Load {
  const slots = createSlots()
  app.server.maxConnections = maxConnections
  app.addHook('onSend', async (request) => limitUnreadTime(request))
  return {
    takeSlot(kind, request, reply) {
      // Nobody would read the response, and `close` may have been emitted already.
      if (request.raw.socket.destroyed) throw new AppError('request.malformed')
      const caller = request.actor?.userId ?? getNetwork(request.address)
      onEnd(request, reply, slots.take(kind, caller))
    },
  }
}
