import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { createCancellableWait } from '../until.ts'

const heartbeatEvery = 15_000
const recheckEvery = 5_000
/** A reader that leaves this much unread is cut off; it can resume by number. */
const unreadMaximum = 1024 * 1024

interface NumberedEvent {
  seq: number
  type: string
}

interface StreamOptions {
  /** Asked every few seconds: whether the reader still may read. */
  recheck: () => Promise<boolean>
  /** Ends every stream when the server stops. */
  stopping: AbortSignal
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

function frame(event: NumberedEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    function done(): void {
      raw.off('drain', done)
      raw.off('close', done)
      resolve()
    }
    raw.once('drain', done)
    raw.once('close', done)
  })
}

/**
 * Writes events to one reader. The first one has been awaited by the caller, so that an early failure was an
 * ordinary error. A reader that leaves ends only its own reading.
 */
export async function sendEvents(
  reply: FastifyReply,
  first: NumberedEvent,
  rest: AsyncIterator<NumberedEvent>,
  { recheck, stopping }: StreamOptions,
): Promise<void> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers })
  const left = createCancellableWait<'left'>()
  function leave(): void {
    left.end('left')
  }
  // `raw` closing with its end unwritten is the reader leaving; the request's own 'close' fires much earlier.
  raw.once('close', leave)
  stopping.addEventListener('abort', leave, { once: true })
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatEvery)
  const check = setInterval(() => void recheck().then((may) => may || leave(), leave), recheckEvery)
  try {
    for (let event: NumberedEvent | undefined = first; event; ) {
      if (!raw.write(frame(event)) && raw.writableLength > unreadMaximum) break
      if (raw.writableNeedDrain) await left.wait(drained(raw))
      const next = await left.wait(rest.next())
      if (next === 'left') break
      event = next.done ? undefined : next.value
    }
    if (stopping.aborted) raw.write('retry: 1000\n\n')
  } finally {
    clearInterval(heartbeat)
    clearInterval(check)
    stopping.removeEventListener('abort', leave)
    raw.off('close', leave)
    if (!raw.destroyed) raw.end()
    // Not awaited: a generator that waits for its next event only notices at that event.
    void rest.return?.()
  }
}
