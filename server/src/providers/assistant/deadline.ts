import { ModelError } from './port.ts'

export interface Timeouts {
  /** Until the first output, including the time to the headers. */
  firstMs: number
  /** The same for reasoning models. */
  firstReasoningMs: number
  /** Between two reads after the first output. */
  idleMs: number
  totalMs: number
}

export const defaultTimeouts: Timeouts = {
  firstMs: 60_000,
  firstReasoningMs: 180_000,
  idleMs: 30_000,
  totalMs: 300_000,
}

export interface Deadline {
  /** Aborts on a timeout, when the caller aborts, and after `end()`. */
  readonly signal: AbortSignal
  readonly hasOutputStarted: boolean
  /** The error to throw after a timeout, otherwise null. */
  getTimeoutError(): ModelError | null
  /** A read from the provider begins. Pauses of our own reader do not count as idle time. */
  markReadStarted(): void
  /** The read has returned, even if only with a keep-alive comment. */
  markReadEnded(): void
  markOutputStarted(): void
  /** Stops the timers and closes the connection if it is still open. */
  end(): void
}

/** One for all calls: the default reason costs a stack trace for each. */
const callEnded = new Error('the model call has ended')

/** Starts the timers of one call: for the first output, for idle time and for the whole call. */
export function startDeadline(timeouts: Timeouts, isReasoning: boolean, callerSignal: AbortSignal): Deadline {
  const controller = new AbortController()
  let timeoutError: ModelError | null = null
  let hasOutputStarted = false
  /** When the current read began; null between reads. */
  let readStartedAt: number | null = null
  let idle: NodeJS.Timeout | undefined

  function createTimeoutHandler(what: string, ms: number) {
    return () => {
      timeoutError ??= new ModelError('assistant.timeout', `${what} within ${ms / 1000} s`)
      controller.abort(timeoutError)
    }
  }
  const firstMs = isReasoning ? timeouts.firstReasoningMs : timeouts.firstMs
  const first = setTimeout(createTimeoutHandler('no first output', firstMs), firstMs)
  const total = setTimeout(createTimeoutHandler('no complete answer', timeouts.totalMs), timeouts.totalMs)
  function abortWithCaller() {
    return controller.abort(callerSignal.reason)
  }
  if (callerSignal.aborted) abortWithCaller()
  else callerSignal.addEventListener('abort', abortWithCaller, { once: true })

  const failIdle = createTimeoutHandler('no further output', timeouts.idleMs)
  /** Checks again when the current read could have been idle for too long. Setting a timer for each read costs more. */
  function checkIdle() {
    const waited = readStartedAt === null ? 0 : performance.now() - readStartedAt
    if (waited >= timeouts.idleMs) failIdle()
    else idle = setTimeout(checkIdle, timeouts.idleMs - waited)
  }

  return {
    signal: controller.signal,
    get hasOutputStarted() {
      return hasOutputStarted
    },
    getTimeoutError: () => timeoutError,
    markReadStarted() {
      readStartedAt = performance.now()
    },
    markReadEnded() {
      readStartedAt = null
    },
    markOutputStarted() {
      if (hasOutputStarted) return
      hasOutputStarted = true
      clearTimeout(first)
      checkIdle()
    },
    end() {
      clearTimeout(first)
      clearTimeout(total)
      clearTimeout(idle)
      callerSignal.removeEventListener('abort', abortWithCaller)
      controller.abort(callEnded)
    },
  }
}
