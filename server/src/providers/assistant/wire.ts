import { setTimeout as sleep } from 'node:timers/promises'
import { guardBody, readText, streamOf } from './body-guard.ts'
import type { Deadline } from './deadline.ts'
import { JsonInsteadOfStream, networkCode, providerFailure } from './failure.ts'
import { ModelError } from './port.ts'
import type { WordLane } from './word-lane.ts'

/** Longer waits are left to the person: the error says when. */
const longestWaitSeconds = 5
const maxErrorBytes = 16 * 1024

/** One call of the library, known to fetch by its signal. */
export interface Call {
  deadline: Deadline
  expects: 'stream' | 'json'
  maxJsonBytes: number
  /** A JSON document that came instead of a stream, kept so that it need not be asked for again. */
  kept: string | null
  /** Takes the plain words out of a stream before the library reads it. */
  lane?: WordLane
  /** Told when it is tried once more. */
  onRetry: (detail: string) => void
}

export interface WireOptions {
  /** Waits before a second try. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  now: () => number
}

export interface Wire {
  open(call: Call): void
  fetch: typeof globalThis.fetch
}

function waitByClock(ms: number, signal: AbortSignal) {
  return sleep(ms, undefined, { signal })
}

/** Seconds as a number or as a date; null for anything else. */
function readRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text))
  const date = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

function readProviderError(text: string): { message: string; code: string | null } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown; code?: unknown } | string }
    if (typeof error === 'string') return { message: error, code: null }
    return {
      message: typeof error?.message === 'string' ? error.message : 'no reason given',
      code: typeof error?.code === 'string' ? error.code : null,
    }
  } catch {
    return { message: 'no reason given', code: null }
  }
}

interface Refused {
  failure: ModelError
  /** Milliseconds after which it may be tried once more; null: not at all. */
  retryInMs: number | null
}

async function readRefusal(response: Response, call: Call, now: number): Promise<Refused> {
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    const failure = new ModelError(
      'assistant.unavailable',
      `the endpoint redirects (${status}), which is not followed`,
    )
    return { failure, retryInMs: null }
  }
  const text = response.body
    ? await readText(response.body, call.deadline, maxErrorBytes).catch(() => '')
    : ''
  const { message, code } = readProviderError(text)
  const retryAfter = readRetryAfter(response.headers.get('retry-after'), now)
  const failure = providerFailure(status, message, code, retryAfter)
  if (failure.code === 'assistant.busy') {
    const isShort = retryAfter !== null && retryAfter <= longestWaitSeconds
    return { failure, retryInMs: isShort ? retryAfter * 1000 : null }
  }
  const isPassing = status === 500 || status === 502 || status === 503
  return { failure, retryInMs: isPassing ? 500 + Math.random() * 500 : null }
}

/** A kept-alive connection that the other side had already closed fails before anything was answered. */
function wasClosedEarly(error: unknown) {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(networkCode(error) ?? '')
}

async function accept(response: Response, call: Call): Promise<Response> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? ''
  if (type.includes('text/html')) {
    await response.body?.cancel()
    throw new ModelError(
      'assistant.unavailable',
      'the endpoint answered with a page of HTML: is its address right?',
    )
  }
  if (!response.body) throw new ModelError('assistant.unavailable', 'the endpoint answered with nothing')
  const isEventStream = call.expects === 'stream'
  if (isEventStream && /application\/(?:[\w.-]+\+)?json\b/.test(type)) {
    call.kept = await readText(response.body, call.deadline, call.maxJsonBytes)
    throw new JsonInsteadOfStream()
  }
  const guarded = guardBody(response.body, call.deadline, { isEventStream, maxBytes: call.maxJsonBytes })
  const left = isEventStream && call.lane ? call.lane.divert(guarded) : streamOf(guarded)
  return new Response(left, { status: response.status, headers: { 'content-type': type } })
}

/** The fetch the library is given: at most one second try and only before any answer, no redirects, bounded bodies. */
export function createWire({ wait = waitByClock, now }: WireOptions): Wire {
  const calls = new WeakMap<AbortSignal, Call>()

  async function attempt(
    call: Call,
    input: Parameters<typeof fetch>[0],
    init: RequestInit,
  ): Promise<Response | Refused> {
    const headers = new Headers(init.headers)
    // Packed bytes would only hide how much is coming, and hold words back until a block is full.
    headers.set('accept-encoding', 'identity')
    try {
      const response = await fetch(input, { ...init, headers, redirect: 'manual' })
      return response.ok ? response : await readRefusal(response, call, now())
    } catch (error) {
      if (init.signal?.aborted) throw error
      const code = networkCode(error) ?? 'no reason given'
      const failure = new ModelError('assistant.unavailable', `the connection failed: ${code}`)
      return { failure, retryInMs: wasClosedEarly(error) ? 500 : null }
    }
  }

  return {
    open: (call) => void calls.set(call.deadline.signal, call),
    async fetch(input, init) {
      const signal = init?.signal
      const call = signal ? calls.get(signal) : undefined
      if (!init || !signal || !call) throw new Error('A call to the model must be opened first')
      if (call.kept !== null)
        return new Response(call.kept, { headers: { 'content-type': 'application/json' } })
      let answer = await attempt(call, input, init)
      if ('failure' in answer && answer.retryInMs !== null) {
        call.onRetry(answer.failure.detail)
        await wait(answer.retryInMs, signal)
        answer = await attempt(call, input, init)
      }
      if ('failure' in answer) throw answer.failure
      return accept(answer, call)
    },
  }
}
