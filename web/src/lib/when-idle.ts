const laterMs = 120

/** Does something when the browser has nothing better to do, and after so long in any case. Answers how to give it up. */
export function whenIdle(work: () => void, atLatestMs: number): () => void {
  // Safari has no such thing yet.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, Math.min(laterMs, atLatestMs))
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: atLatestMs })
  return () => cancelIdleCallback(request)
}
