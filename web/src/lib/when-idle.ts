const fallbackDelayMs = 120

/** Runs a callback when the browser is idle, or after the timeout at the latest. Returns a function that cancels it. */
export function whenIdle(work: () => void, timeoutMs: number): () => void {
  // Safari has no `requestIdleCallback`.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, Math.min(fallbackDelayMs, timeoutMs))
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: timeoutMs })
  return () => cancelIdleCallback(request)
}
