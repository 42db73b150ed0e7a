import { performance } from 'node:perf_hooks'

/** Text that arrives within a frame is read, checked and sent as one piece. Milliseconds. */
const shortestFrameMs = 30
const longestFrameMs = 150
/** Few different lengths, because Node keeps one list of timers for each. */
const frameStepMs = 20
/** The busy part of the process's time at which frames begin to grow, and at which they are longest. */
const growFrom = 0.15
const growUntil = 0.55
/** Milliseconds over which the load is measured. */
const measuredMs = 250

let previous = performance.eventLoopUtilization()
let measuredAt = performance.now()
let load = 0

/** The busy part of the event loop's time, measured at most four times a second. */
function readLoad(): number {
  const now = performance.now()
  if (now - measuredAt < measuredMs) return load
  const current = performance.eventLoopUtilization()
  load = performance.eventLoopUtilization(current, previous).utilization
  previous = current
  measuredAt = now
  return load
}

/** The length of a frame at a load between 0 and 1. */
export function toFrameMs(load: number): number {
  const share = Math.min(1, Math.max(0, (load - growFrom) / (growUntil - growFrom)))
  const steps = Math.round((share * (longestFrameMs - shortestFrameMs)) / frameStepMs)
  return shortestFrameMs + steps * frameStepMs
}

/** Resolves at the end of a frame. The busier the process, the longer the frame. */
export function waitForFrame(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, toFrameMs(readLoad()))
  })
}
