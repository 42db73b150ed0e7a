import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { createCancellableWait } from '../lib/cancellable-wait.ts'
import { limitUnreadTime } from './load.ts'

const heartbeatMs = 15_000
const defaultRecheckMs = 5_000
/** A reader with more unread bytes than this is disconnected. It can resume by event number. */
const maxUnreadBytes = 1024 * 1024

export interface NumberedEvent {
  seq: number
  type: string
}

interface StreamOptions<E> {
  format: (event: E) => string
  /** Called every few seconds. Returns whether the reader still has access. */
  recheck: () => Promise<boolean>
  /** Milliseconds between two of these calls. */
  recheckMs?: number
  /** Ends every stream when the server stops. */
  stopping: AbortSignal
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** The form in which readers can resume by event number. */
export function formatNumberedEvent(event: NumberedEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function waitForDrain(raw: ServerResponse): Promise<void> {
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
 * Streams events to one reader. The caller awaits the first event, so that an early failure becomes an ordinary error
 * response. A reader that disconnects ends only its own stream.
 */
export async function sendEvents<E>(
  reply: FastifyReply,
  first: E,
  rest: AsyncIterator<E>,
  { format, recheck, recheckMs = defaultRecheckMs, stopping }: StreamOptions<E>,
): Promise<void> {
  reply.hijack()
  limitUnreadTime(reply.request)
  const { raw } = reply
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers })
  const reader = createCancellableWait<'left'>()
  function endStream(): void {
    reader.end('left')
  }
  // The response closes early when the reader disconnects. The request emits `close` much sooner, when its body has
  // been read.
  raw.once('close', endStream)
  stopping.addEventListener('abort', endStream, { once: true })
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs)
  const check = setInterval(
    () => void recheck().then((isAllowed) => isAllowed || endStream(), endStream),
    recheckMs,
  )
  try {
    for (let event: E | undefined = first; event; ) {
      if (!raw.write(format(event)) && raw.writableLength > maxUnreadBytes) break
      if (raw.writableNeedDrain) await reader.wait(waitForDrain(raw))
      const next = await reader.wait(rest.next())
      if (next === 'left') break
      event = next.done ? undefined : next.value
    }
    if (stopping.aborted) raw.write('retry: 1000\n\n')
  } finally {
    clearInterval(heartbeat)
    clearInterval(check)
    stopping.removeEventListener('abort', endStream)
    raw.off('close', endStream)
    if (!raw.destroyed) raw.end()
    // Not awaited: a generator that waits for its next event ends only when that event arrives.
    void rest.return?.()
  }
}
