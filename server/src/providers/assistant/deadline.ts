import { ModelError } from './port.ts'

export interface Timeouts {
  /** To the first word, headers that never come included. */
  firstMs: number
  /** The same for models that think before they write. */
  firstReasoningMs: number
  /** Silence after the first word. */
  idleMs: number
  totalMs: number
}

export const usualTimeouts: Timeouts = {
  firstMs: 60_000,
  firstReasoningMs: 180_000,
  idleMs: 30_000,
  totalMs: 300_000,
}

export interface Deadline {
  /** Aborts when time is up, when the caller aborts, and at end(). */
  readonly signal: AbortSignal
  /** Set when time ran out. */
  expired(): ModelError | null
  /** Reading from the provider begins; a reader that pauses is not the provider's silence. */
  waiting(): void
  /** Something came, be it only a sign of life. */
  arrived(): void
  outputBegan(): void
  /** Stops the clocks and closes the connection if it is still open. */
  end(): void
}

/** Watches one call: one clock for the first word, one for silence, one for everything. */
export function startDeadline(timeouts: Timeouts, isReasoning: boolean, caller: AbortSignal): Deadline {
  const controller = new AbortController()
  let expired: ModelError | null = null
  let isOutputUnderWay = false
  let isReading = false
  let idle: NodeJS.Timeout | undefined

  function expire(words: string, ms: number) {
    return () => {
      expired ??= new ModelError('assistant.timeout', `${words} within ${ms / 1000} s`)
      controller.abort(expired)
    }
  }
  const firstMs = isReasoning ? timeouts.firstReasoningMs : timeouts.firstMs
  const first = setTimeout(expire('no first word', firstMs), firstMs)
  const total = setTimeout(expire('no end of the answer', timeouts.totalMs), timeouts.totalMs)
  function leave() {
    return controller.abort(caller.reason)
  }
  if (caller.aborted) leave()
  else caller.addEventListener('abort', leave, { once: true })

  function watchSilence() {
    clearTimeout(idle)
    if (isReading && isOutputUnderWay) {
      idle = setTimeout(expire('no further word', timeouts.idleMs), timeouts.idleMs)
    }
  }

  return {
    signal: controller.signal,
    expired: () => expired,
    waiting() {
      isReading = true
      watchSilence()
    },
    arrived() {
      isReading = false
      clearTimeout(idle)
    },
    outputBegan() {
      if (isOutputUnderWay) return
      isOutputUnderWay = true
      clearTimeout(first)
      // The library reads ahead: the next read may have begun before its first word was seen.
      watchSilence()
    },
    end() {
      clearTimeout(first)
      clearTimeout(total)
      clearTimeout(idle)
      caller.removeEventListener('abort', leave)
      controller.abort()
    },
  }
}
