import type { CallInput, EndpointShape, EventOf } from '@lyceum/contract/endpoint'
import { log } from '#lib/log.ts'
import { ApiError } from './api-error.ts'
import { createEventReader } from './event-reader.ts'
import { createFetchError, send, type UntypedInput } from './request.ts'

/** The server sends something every 15 seconds, so a connection that is silent for this long is dead. */
const maxSilenceMs = 30_000
/** A stream of a running reply is opened at once. A request without an answer was sent over a dead connection. */
const maxOpeningMs = 10_000
const checkMs = 1000

type StreamedEndpoint = EndpointShape & Required<Pick<EndpointShape, 'events'>>

function parseEvent(endpoint: StreamedEndpoint, data: string): unknown {
  try {
    const parsed = endpoint.events.safeParse(JSON.parse(data))
    if (parsed.success) return parsed.data
    // A newer server may send events that this page does not know.
    log('An event did not match the contract', endpoint.path, parsed.error.issues)
  } catch (cause) {
    log('An event could not be read', endpoint.path, cause)
  }
  return undefined
}

/**
 * Calls `onDead` once the connection can no longer be alive. Timers stand still while the computer sleeps or the page is
 * frozen, so the clock decides: a reply goes on within a second after waking.
 */
function watchConnection(maxMs: number, onDead: () => void): () => void {
  const silentSince = Date.now()
  function check(): void {
    if (Date.now() - silentSince >= maxMs) onDead()
  }
  const timer = setInterval(check, checkMs)
  // Connections of the previous network are dead, but nothing reports it.
  addEventListener('online', onDead)
  return () => {
    clearInterval(timer)
    removeEventListener('online', onDead)
  }
}

/** Waits for data. Throws when the connection is dead. */
async function waitForData<T>(data: Promise<T>, maxMs: number): Promise<T> {
  let stopWatching: () => void = () => undefined
  const death = new Promise<never>((_, reject) => {
    stopWatching = watchConnection(maxMs, () => reject(new ApiError(0, 'network')))
  })
  try {
    return await Promise.race([data, death])
  } catch (cause) {
    throw cause instanceof ApiError ? cause : createFetchError(cause)
  } finally {
    stopWatching()
  }
}

/** Aborts the request when the caller's signal is aborted. */
function createLinkedController(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController()
  if (signal?.aborted) controller.abort()
  signal?.addEventListener('abort', () => controller.abort(), { signal: controller.signal })
  return controller
}

/**
 * Calls an endpoint whose response is a stream of numbered events. A failure before the first event throws an `ApiError`
 * with the server's status. A dropped connection throws one with the code 'network'; `chatsApi.events` with `after`
 * resumes the stream. Breaking out of the loop or aborting `signal` closes the stream; the reply continues on the server.
 */
export async function* callEvents<E extends StreamedEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  signal?: AbortSignal,
  headers?: Readonly<Record<string, string>>,
): AsyncGenerator<EventOf<E>, void, undefined> {
  const controller = createLinkedController(signal)
  try {
    const request = send(endpoint, input as UntypedInput, 'text/event-stream', controller.signal, headers)
    const response = await waitForData(request, endpoint.method === 'GET' ? maxOpeningMs : maxSilenceMs)
    if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new ApiError(response.status, 'reply')
    }
    const readEvents = createEventReader()
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    while (true) {
      const { done, value } = await waitForData(reader.read(), maxSilenceMs)
      for (const data of readEvents(decoder.decode(value, { stream: !done }))) {
        const event = parseEvent(endpoint, data)
        if (event !== undefined) yield event as EventOf<E>
      }
      if (done) return
    }
  } finally {
    // Also closes a connection that is dead, so that the browser does not use it for the next request.
    controller.abort()
  }
}
