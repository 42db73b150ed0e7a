import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getNetwork } from '#lib/network.ts'
import { createTaskQueue, type RunTask } from '#lib/task-queue.ts'
import { createWaitingList, type Patience, type WaitingList } from '#lib/waiting-list.ts'
import { AppError } from '../errors.ts'
import type { Pressure } from './pressure.ts'
import { createSlots, type SlotKind } from './slots.ts'

const maxUnreadMs = 60_000
/** Light requests are refused only when new connections wait for longer than this, which refusing heavy work prevents. */
const maxWaitMs = 1500

/**
 * How long heavy requests wait for their turn. A burst after quieter times is served although that may take seconds.
 * While requests keep coming faster than they can be served, each of them is answered within a second.
 */
const patience: Patience = { burst: 400, inBurst: 3000, afterBurst: 500 }
/** How long light requests may go first. */
const maxDelayMs = 500
/** On PostgreSQL, more would occupy the connections that light requests need. On SQLite, one ends before the next. */
const startsAtOnce = 4

function createRefusal(): AppError {
  return new AppError('server.busy', { retryAfter: 2 })
}

export interface Load {
  /** Occupies a slot until the response or the connection has ended. Called when the body is complete. */
  takeSlot(kind: SlotKind, request: FastifyRequest, reply: FastifyReply): void
  /** Refuses a heavy request that would wait too long, before any work is done for it. */
  requireHeavyCapacity(): void
  /** Runs the work of a heavy request, or only the start of long work, when its turn has come. */
  startHeavy: RunTask
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

/** Resolves when all waiting connections are accepted, so that the light requests on them have been handled. */
async function letLightGoFirst(pressure: Pressure, until: number): Promise<void> {
  while (await pressure.nextTurn()) if (performance.now() > until) throw createRefusal()
}

/** Starts heavy work when its turn has come. Only the start counts: a reply goes on for as long as the model writes. */
function createHeavyQueue(pressure: Pressure, waiting: WaitingList): RunTask {
  const runStart = createTaskQueue(startsAtOnce, waiting)
  // One in each turn of the event loop, so that light requests are handled in between.
  const runInTurn = createTaskQueue(1, createWaitingList({ createRefusal }))
  return (task) =>
    runStart(async () => {
      const until = performance.now() + maxDelayMs
      await runInTurn(() => letLightGoFirst(pressure, until))
      return task()
    })
}

/** Limits how many requests the process handles at a time, and refuses requests it is too busy for. */
export function limitLoad(app: FastifyInstance, pressure: Pressure): Load {
  const slots = createSlots()
  const waiting = createWaitingList({ patience, createRefusal })
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (!routeOptions.config.isProbe && pressure.waitMs() > maxWaitMs) throw createRefusal()
  })
  app.addHook('onSend', async (request) => limitUnreadTime(request))
  return {
    takeSlot(kind, request, reply) {
      // Nobody would read the response, and `close` may have been emitted already.
      if (request.raw.socket.destroyed) throw new AppError('request.malformed')
      const caller = request.actor?.userId ?? getNetwork(request.address)
      onEnd(request, reply, slots.take(kind, caller))
    },
    requireHeavyCapacity() {
      if (waiting.isFull) throw createRefusal()
    },
    startHeavy: createHeavyQueue(pressure, waiting),
  }
}
