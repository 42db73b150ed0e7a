import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface ServerEvent {
  /** 'message' when the server names none. */
  event: string
  id: string | undefined
  data: string
}

/** Reads the events of an event stream, in order. Leaving the loop closes the stream. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const events = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
  for await (const { event = 'message', id, data } of events) yield { event, id, data }
}
