import { setTimeout as sleep } from 'node:timers/promises'
import { guardBody, readText, toStream } from './body-guard.ts'
import type { Deadline } from './deadline.ts'
import type { DeltaFastPath } from './delta-fast-path.ts'
import { findNetworkCode, JsonInsteadOfStream, toProviderError } from './model-errors.ts'
import { insertPictures, type PictureBodies } from './pictures.ts'
import { ModelError } from './port.ts'

/** For longer waits the error tells the user when to retry. */
const maxRetryWaitSeconds = 5
/** Before another attempt at a busy endpoint that does not say how long to wait. */
const busyWaitMs = 1000
const maxErrorBytes = 16 * 1024

/** A call that is registered before it starts. `fetch` finds it by its signal. */
export interface TransportCall {
  deadline: Deadline
  expects: 'stream' | 'json'
  maxJsonBytes: number
  /** A JSON document received instead of a stream, kept to avoid a second request. */
  bufferedJson: string | null
  /** Reads plain text events before the library gets the stream. */
  fastPath?: DeltaFastPath
  /** Replace their addresses in the request. */
  pictures?: PictureBodies
  /** For users who would rather do without an answer than wait. */
  isTriedOnce?: true
  /** Called before a retry. */
  onRetry: (detail: string) => void
}

export interface TransportOptions {
  /** Waits before a retry. */
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  now: () => number
}

export interface Transport {
  register(call: TransportCall): void
  fetch: typeof globalThis.fetch
}

function sleepFor(ms: number, signal: AbortSignal) {
  return sleep(ms, undefined, { signal })
}

/** Parses seconds or a date; null for anything else. */
function readRetryAfter(value: string | null, now: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text))
  const date = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

function readProviderError(text: string): { message: string | null; code: string | null } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown; code?: unknown } | string }
    if (typeof error === 'string') return { message: error, code: null }
    return {
      message: typeof error?.message === 'string' ? error.message : null,
      code: typeof error?.code === 'string' ? error.code : null,
    }
  } catch {
    return { message: null, code: null }
  }
}

interface FailedAttempt {
  failure: ModelError
  /** Milliseconds to wait before a retry; null if a retry is pointless. */
  retryInMs: number | null
}

async function readErrorResponse(
  response: Response,
  call: TransportCall,
  now: number,
): Promise<FailedAttempt> {
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
  const failure = toProviderError(status, message, code, retryAfter)
  if (failure.code === 'assistant.busy') {
    if (retryAfter === null) return { failure, retryInMs: busyWaitMs + Math.random() * busyWaitMs }
    return { failure, retryInMs: retryAfter <= maxRetryWaitSeconds ? retryAfter * 1000 : null }
  }
  const isRetryable = status === 500 || status === 502 || status === 503
  return { failure, retryInMs: isRetryable ? 500 + Math.random() * 500 : null }
}

/** The server had already closed the kept-alive connection, so the request failed before any response. */
function isStaleConnection(error: unknown) {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(findNetworkCode(error) ?? '')
}

async function acceptResponse(response: Response, call: TransportCall): Promise<Response> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? ''
  if (type.includes('text/html')) {
    await response.body?.cancel()
    throw new ModelError('assistant.unavailable', 'the endpoint returned HTML; check its URL')
  }
  if (!response.body) throw new ModelError('assistant.unavailable', 'the endpoint returned an empty response')
  const isEventStream = call.expects === 'stream'
  if (isEventStream && /application\/(?:[\w.-]+\+)?json\b/.test(type)) {
    call.bufferedJson = await readText(response.body, call.deadline, call.maxJsonBytes)
    throw new JsonInsteadOfStream()
  }
  const guarded = guardBody(response.body, call.deadline, { isEventStream, maxBytes: call.maxJsonBytes })
  const remaining = isEventStream && call.fastPath ? call.fastPath.attach(guarded) : toStream(guarded)
  return new Response(remaining, { status: response.status, headers: { 'content-type': type } })
}

/** Provides the library's `fetch`: at most one retry, only before any response; no redirects; limited bodies. */
export function createTransport({ wait = sleepFor, now }: TransportOptions): Transport {
  const calls = new WeakMap<AbortSignal, TransportCall>()

  async function attempt(
    call: TransportCall,
    input: Parameters<typeof fetch>[0],
    init: RequestInit,
  ): Promise<Response | FailedAttempt> {
    const headers = new Headers(init.headers)
    // Compression would hide the body size and delay text until a block is full.
    headers.set('accept-encoding', 'identity')
    const body =
      call.pictures?.size && typeof init.body === 'string'
        ? { body: insertPictures(init.body, call.pictures) }
        : {}
    try {
      const response = await fetch(input, { ...init, ...body, headers, redirect: 'manual' })
      return response.ok ? response : await readErrorResponse(response, call, now())
    } catch (error) {
      if (init.signal?.aborted) throw error
      const code = findNetworkCode(error)
      const failure = new ModelError(
        'assistant.unavailable',
        `the connection failed${code === null ? '' : `: ${code}`}`,
      )
      return { failure, retryInMs: isStaleConnection(error) ? 500 : null }
    }
  }

  return {
    register: (call) => void calls.set(call.deadline.signal, call),
    async fetch(input, init) {
      const signal = init?.signal
      const call = signal ? calls.get(signal) : undefined
      if (!init || !signal || !call) throw new Error('call register() before fetch()')
      if (call.bufferedJson !== null)
        return new Response(call.bufferedJson, { headers: { 'content-type': 'application/json' } })
      let response = await attempt(call, input, init)
      if ('failure' in response && response.retryInMs !== null && !call.isTriedOnce) {
        call.onRetry(response.failure.detail)
        await wait(response.retryInMs, signal)
        response = await attempt(call, input, init)
      }
      if ('failure' in response) throw response.failure
      return acceptResponse(response, call)
    },
  }
}
