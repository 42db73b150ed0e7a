import type { CallInput, EndpointShape, EventOf } from '@lyceum/contract/endpoint'
import { log } from '#lib/log.ts'
import { ApiError } from './api-error.ts'
import { createEventReader } from './event-reader.ts'
import { createFetchError, send, type UntypedInput } from './request.ts'

/** The server sends something every 15 seconds, so a connection that is silent for this long is dead. */
const maxSilenceMs = 40_000

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

/** Reads the next bytes. Throws when the connection is dead, for example after the computer slept. */
async function readWithTimeout(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError(0, 'network')), maxSilenceMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } catch (cause) {
    throw cause instanceof ApiError ? cause : createFetchError(cause)
  } finally {
    clearTimeout(timer)
  }
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
  const response = await send(endpoint, input as UntypedInput, 'text/event-stream', signal, headers)
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new ApiError(response.status, 'reply')
  }
  const readEvents = createEventReader()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  try {
    while (true) {
      const { done, value } = await readWithTimeout(reader)
      for (const data of readEvents(decoder.decode(value, { stream: !done }))) {
        const event = parseEvent(endpoint, data)
        if (event !== undefined) yield event as EventOf<E>
      }
      if (done) return
    }
  } finally {
    // Fails harmlessly when the stream has already ended.
    await reader.cancel().catch(() => undefined)
  }
}
