export interface ServerEvent {
  /** 'message' where the server names none. */
  event: string
  data: string
}

/** The lines of a stream, whichever line ends it uses; what no line end closes is not yet a line. */
async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let waiting = ''
  for await (const chunk of body) {
    waiting += decoder.decode(chunk, { stream: true })
    // A return at the very end may be the first half of a line end.
    const lines = waiting.split(/\r\n|\n|\r(?!$)/)
    waiting = lines.pop() ?? ''
    yield* lines
  }
  yield* (waiting + decoder.decode()).split(/\r\n|\n|\r/).slice(0, -1)
}

/** The events of an event stream, in order. Leaving the loop closes the stream. */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = ''
  let data: string[] = []
  for await (const line of linesIn(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
  }
}
