import type { Server } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setImmediate as nextCheck } from 'node:timers/promises'

const sampleMs = 50
/** Fewer connections are soon accepted, even if they had to wait for a long turn of the event loop. */
const minBacklog = 50

/** How far the process is behind its clients. docs/decisions/0023 says why the delay of timers does not tell. */
export interface Pressure {
  /** Milliseconds that a request which is handled now has waited, at most. */
  waitMs(): number
  /** Resolves after a whole turn of the event loop, to whether it accepted a connection, so that others may wait. */
  nextTurn(): Promise<boolean>
  /** The 99th percentile of the delay of timers since the start, in seconds. */
  delayP99(): number
  close(): void
}

export function watchPressure(server: Server): Pressure {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  let accepted = 0
  let acceptedAtSample = 0
  function countConnection(): void {
    accepted += 1
  }
  server.on('connection', countConnection)

  let { idle } = performance.eventLoopUtilization()
  let turns = performance.nodeTiming.uvMetricsInfo.loopCount
  let sampledAt = performance.now()
  /** When no connection waited to be accepted. */
  let caughtUpAt = sampledAt
  let acceptedAtCaughtUp = 0

  function catchUp(now: number): void {
    caughtUpAt = now
    acceptedAtCaughtUp = accepted
  }

  function sample(): void {
    const now = performance.now()
    const { idle: idleNow } = performance.eventLoopUtilization()
    // The event loop is idle only when nothing waits.
    if (idleNow > idle) catchUp(now)
    idle = idleNow
    if (now - sampledAt < sampleMs) return
    const { loopCount } = performance.nodeTiming.uvMetricsInfo
    // Node accepts at most one connection in each turn of the loop, so a turn without one found none waiting. The turn
    // that is under way may still accept one.
    if (loopCount - turns - 1 > accepted - acceptedAtSample) catchUp(now)
    turns = loopCount
    acceptedAtSample = accepted
    sampledAt = now
  }

  const timer = setInterval(sample, sampleMs)
  timer.unref()

  /** When the first request of this turn was handled. The later ones have waited since. */
  let turnBegunAt: number | null = null
  function readTurnAge(): number {
    const now = performance.now()
    if (turnBegunAt === null) {
      turnBegunAt = now
      setImmediate(() => {
        turnBegunAt = null
      })
    }
    return now - turnBegunAt
  }

  return {
    waitMs() {
      sample()
      const isBacklog = accepted - acceptedAtCaughtUp >= minBacklog
      return Math.max(isBacklog ? performance.now() - caughtUpAt : 0, readTurnAge())
    },
    async nextTurn() {
      // The first callback may still belong to the turn that is under way.
      await nextCheck()
      const before = accepted
      await nextCheck()
      if (accepted > before) return true
      catchUp(performance.now())
      return false
    },
    delayP99: () => delays.percentile(99) / 1e9,
    close() {
      clearInterval(timer)
      delays.disable()
      server.off('connection', countConnection)
    },
  }
}
