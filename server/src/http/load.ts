import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getNetwork } from '#lib/network.ts'
import { createTaskQueue, type RunTask } from '#lib/task-queue.ts'
import { AppError } from '../errors.ts'
import type { Pressure } from './pressure.ts'
import { createSlots, type SlotKind } from './slots.ts'

const maxConnections = 2000
const maxUnreadMs = 60_000

/**
 * Milliseconds of waiting after which requests of a weight are refused. Heavy ones are refused early, so that the
 * process catches up before users who only read notice. Probes are always answered.
 */
const maxWaitMs = { heavy: 700, light: 1500, probe: Number.POSITIVE_INFINITY }

/** What a request costs. */
export type Weight = keyof typeof maxWaitMs

export interface Load {
  /** Occupies a slot until the response or the connection has ended. Called when the body is complete. */
  takeSlot(kind: SlotKind, request: FastifyRequest, reply: FastifyReply): void
  /** Starts a few replies at a time. The others wait for a moment, so that a burst of messages is answered. */
  startReply: RunTask
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

/** Limits how many requests and connections the process handles at a time, and refuses requests it is too busy for. */
export function limitLoad(app: FastifyInstance, pressure: Pressure): Load {
  const slots = createSlots()
  app.server.maxConnections = maxConnections
  app.addHook('onRequest', async (request) => {
    const { weight = 'light' } = request.routeOptions.config
    if (pressure.waitMs() > maxWaitMs[weight]) throw new AppError('server.busy', { retryAfter: 2 })
  })
  app.addHook('onSend', async (request) => limitUnreadTime(request))
  return {
    takeSlot(kind, request, reply) {
      // Nobody would read the response, and `close` may have been emitted already.
      if (request.raw.socket.destroyed) throw new AppError('request.malformed')
      const caller = request.actor?.userId ?? getNetwork(request.address)
      onEnd(request, reply, slots.take(kind, caller))
    },
    startReply: createTaskQueue({
      atOnce: 4,
      maxWaiting: 100,
      maxWaitMs: 400,
      createRefusal: () => new AppError('server.busy', { retryAfter: 2 }),
    }),
  }
}
