import { performance } from 'node:perf_hooks'

const intervalMs = 5000
/** The busy part of the event loop's time below which the process counts as idle. */
const idleBelow = 0.05

/**
 * Gives back the memory that starting took, about 40 MB, once the process is idle: the collection blocks it for 0.1 s.
 * Without it, a young generation large enough for hundreds of replies would stay large. Does nothing unless Node runs
 * with `--expose-gc`, as `bin/start.mjs` runs it.
 */
export function releaseStartMemory(): void {
  let measured = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, measured)
    measured = now
    if (utilization >= idleBelow) return
    clearInterval(timer)
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, intervalMs)
  timer.unref()
}
