/** How long one may wait, in milliseconds. */
export interface Patience {
  /** How long after the first one others still belong to the same burst. */
  burst: number
  /** In a burst, which comes to an end by being served. */
  inBurst: number
  /** For those that come later, while the list has not been empty since the burst. */
  afterBurst: number
}

interface Options {
  maxWaiting?: number
  /** No limit by default. */
  patience?: Patience
  /** Creates the error for those that cannot wait, or have waited too long. */
  createRefusal: () => Error
}

export interface WaitingList {
  readonly size: number
  /** Whether another one is refused at once, because it would most likely wait too long. */
  readonly isFull: boolean
  /** Resolves when this one is called. */
  wait(): Promise<void>
  /** Calls the one that has waited longest. Returns whether there was one. */
  callNext(): boolean
}

export function createWaitingList({ maxWaiting, patience, createRefusal }: Options): WaitingList {
  const waiting = new Set<() => void>()
  /** When others were called, since the list was last empty. */
  let calls: number[] = []
  /** When the first one came to the empty list. */
  let begunAt = 0

  function readPatience({ burst, inBurst, afterBurst }: Patience): number {
    return performance.now() - begunAt < burst ? inBurst : afterBurst
  }

  function isFull(): boolean {
    if (maxWaiting !== undefined && waiting.size >= maxWaiting) return true
    const now = performance.now()
    if (!patience || waiting.size === 0 || now - begunAt < patience.burst) return false
    // More wait than were called in the time that another one may wait.
    calls = calls.filter((time) => time > now - patience.afterBurst)
    return waiting.size > calls.length
  }

  return {
    get size() {
      return waiting.size
    },
    get isFull() {
      return isFull()
    },
    wait() {
      if (isFull()) return Promise.reject(createRefusal())
      if (waiting.size === 0) {
        begunAt = performance.now()
        calls = []
      }
      return new Promise((resolve, reject) => {
        const timer = patience && setTimeout(giveUp, readPatience(patience))
        function begin(): void {
          clearTimeout(timer)
          resolve()
        }
        function giveUp(): void {
          waiting.delete(begin)
          reject(createRefusal())
        }
        waiting.add(begin)
      })
    },
    callNext() {
      const [next] = waiting
      if (!next) return false
      waiting.delete(next)
      next()
      if (patience) calls.push(performance.now())
      return true
    },
  }
}
