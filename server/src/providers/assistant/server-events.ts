import type { EventSourceMessage } from 'eventsource-parser'
import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface ServerEvent {
  /** 'message' when the server names none. */
  event: string
  id: string | undefined
  data: string
}

async function* nameEvents(events: ReadableStream<EventSourceMessage>): AsyncGenerator<ServerEvent> {
  for await (const { event = 'message', id, data } of events) yield { event, id, data }
}

/**
 * Reads the events of an event stream, in order. Leaving the loop closes the stream. Takes over the body at once: fetch
 * cancels a body that nobody has begun to read when its response is collected as garbage.
 */
export function readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const text = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
  return nameEvents(text.pipeThrough(new EventSourceParserStream()))
}
