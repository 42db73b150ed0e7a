import { ModelError } from './port.ts'

/** Failures in a row after which an endpoint is left alone. */
const failureLimit = 3
const pauseMs = 60_000

export interface CircuitBreaker {
  /** In milliseconds since 1970; null if calls are not paused. */
  readonly pausedUntil: number | null
  /** Ends a pause, because an administrator wants to know whether the endpoint works again. */
  resume(): void
  /** Throws `ModelError` without calling `work` during a pause. After it, one call at a time tries the endpoint. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Whether an abort is due to `AbortSignal.timeout`, and not to a user who left or a server that stops. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/** The last one is what llama.cpp says of a text that is too long. */
const refusedTexts = /^the provider answered (?:(?:400|413|422)\b|500.*too large to process)/

/** Whether the endpoint works, but does not accept these texts, for example because they are too long for its model. */
export function isTextRefusal(error: unknown): error is ModelError {
  return error instanceof ModelError && refusedTexts.test(error.detail)
}

function countsAsFailure(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return isTimeout(signal.reason)
  return !isTextRefusal(error)
}

/** Spares users the wait for an endpoint that is down. */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0
  let pauseEnd: number | null = null
  let isTrying = false

  function resume(): void {
    failures = 0
    pauseEnd = null
  }

  async function attempt<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const result = await work()
      resume()
      return result
    } catch (error) {
      if (countsAsFailure(error, signal)) {
        failures += 1
        if (failures >= failureLimit) pauseEnd = now() + pauseMs
      }
      throw error
    }
  }

  return {
    get pausedUntil() {
      return pauseEnd !== null && now() < pauseEnd ? pauseEnd : null
    },
    resume,
    async run(work, signal) {
      if (pauseEnd === null) return attempt(work, signal)
      if (isTrying || now() < pauseEnd)
        throw new ModelError('assistant.unavailable', 'not called, because it failed several times in a row')
      isTrying = true
      try {
        return await attempt(work, signal)
      } finally {
        isTrying = false
      }
    },
  }
}
