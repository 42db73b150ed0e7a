import { whenIdle } from './when-idle.ts'

/** Events that only the user causes: scrolling can be the page's own doing. */
const interactions = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown'] as const
/** After this time a page is completed even if nobody touches it, for example while a screen reader reads it. */
const completeAfterMs = 5000

let firstUse: Promise<void> | null = null

function waitForFirstUse(): Promise<void> {
  firstUse ??= new Promise((resolve) => {
    const listeners = new AbortController()
    function finish(): void {
      listeners.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(finish, completeAfterMs)
    for (const type of interactions)
      addEventListener(type, finish, { capture: true, passive: true, signal: listeners.signal })
  })
  return firstUse
}

/**
 * Runs a callback when the browser is idle, but not before the user has moved the pointer or pressed a key since the
 * page was loaded. For work that what is shown first does not need. Returns a function that cancels it.
 */
export function whenInUse(work: () => void, timeoutMs: number): () => void {
  let isCancelled = false
  let cancel: () => void = () => undefined
  void waitForFirstUse().then(() => {
    if (!isCancelled) cancel = whenIdle(work, timeoutMs)
  })
  return () => {
    isCancelled = true
    cancel()
  }
}
