import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Behavior, Framing } from './behavior.ts'
import type { Gate } from './gate.ts'
import type { Frame } from './wire-formats.ts'

/** A response in progress. `closed` resolves when the client disconnects. */
export interface Outgoing {
  response: ServerResponse
  closed: Promise<void>
  gate: Gate
}

function writeAndFlush(response: ServerResponse, bytes: Uint8Array) {
  return new Promise<void>((resolve) => {
    if (response.destroyed) resolve()
    else response.write(bytes, () => resolve())
  })
}

export function sendJson(
  { response }: Outgoing,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function sendError(
  outgoing: Outgoing,
  status: number,
  message: string,
  code: string | null,
  headers = {},
) {
  sendJson(outgoing, status, { error: { message, type: 'stand_in_error', param: null, code } }, headers)
}

function encode(frame: Frame, { lineEnd = '\n', comments = false, omitsSpace = false }: Framing): string {
  const space = omitsSpace ? '' : ' '
  const event = frame.event ? `event:${space}${frame.event}${lineEnd}` : ''
  const comment = comments ? `: still here${lineEnd}` : ''
  return `${comment}${event}data:${space}${frame.data}${lineEnd}${lineEnd}`
}

/** Event names of the Assistants API. The other formats send these events without a name. */
export interface EventNames {
  error?: string
  text?: string
  done?: string
}

function createFrame(event: string | undefined, data: string): Frame {
  return {
    ...(event === undefined ? {} : { event }),
    data,
    isPiece: false,
  }
}

/** Inserts scripted faults between the frames. */
function* applyFaults(frames: Iterable<Frame>, behavior: Behavior, names: EventNames): Generator<Frame> {
  const { fault } = behavior
  let pieces = 0
  for (const frame of frames) {
    if (frame.isPiece && fault && 'afterPieces' in fault && pieces === fault.afterPieces) {
      if (fault.kind === 'error-event') {
        const error = {
          message: fault.message ?? 'The server had an error',
          type: 'server_error',
          code: fault.code ?? null,
        }
        yield createFrame(names.error, JSON.stringify({ error }))
        return
      }
      if (fault.kind === 'bad-lines') {
        for (let line = 0; line < fault.count; line++) yield createFrame(names.text, '{"choices":[{"del')
      }
    }
    if (frame.isPiece) pieces += 1
    yield frame
  }
  if (behavior.framing?.done !== false) yield createFrame(names.done, '[DONE]')
}

async function writeSliced(response: ServerResponse, bytes: Uint8Array, slice: number) {
  for (let at = 0; at < bytes.length; at += slice)
    await writeAndFlush(response, bytes.subarray(at, at + slice))
}

/** Sends an event stream as scripted. */
export async function sendStream(
  outgoing: Outgoing,
  frames: Iterable<Frame>,
  behavior: Behavior,
  names: EventNames = {},
): Promise<void> {
  const { response, closed, gate } = outgoing
  const { framing = {}, fault, delayMs = 0 } = behavior
  if (framing.closeDelimited) response.useChunkedEncodingByDefault = false
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    ...(framing.closeDelimited ? { connection: 'close' } : {}),
  })
  response.flushHeaders()
  if (framing.byteOrderMark) await writeAndFlush(response, new Uint8Array([0xef, 0xbb, 0xbf]))
  let sent = 0
  let pieces = 0
  const queue = [...applyFaults(frames, behavior, names)]
  for (const [index, frame] of queue.entries()) {
    if (response.destroyed) return
    if (frame.isPiece) {
      if (delayMs > 0) await sleep(delayMs)
      await gate.pass(pieces, closed)
      if (fault?.kind === 'stall' && pieces === fault.afterPieces) return
      pieces += 1
    }
    let text = encode(frame, framing)
    if (index === queue.length - 1 && framing.lastBlankLine === false) text = text.trimEnd()
    let bytes = new TextEncoder().encode(text)
    if (fault?.kind === 'drop' && sent + bytes.length >= fault.afterBytes) {
      bytes = bytes.subarray(0, fault.afterBytes - sent)
      await writeAndFlush(response, bytes)
      response.destroy()
      return
    }
    sent += bytes.length
    await writeSliced(response, bytes, framing.slice ?? bytes.length)
  }
  response.end()
}

const filler = new Uint8Array(64 * 1024).fill(0x61)

async function writeFiller(
  write: (bytes: Uint8Array) => Promise<void>,
  total: number,
  isOver: () => boolean,
) {
  for (let sent = 0; sent < total && !isOver(); sent += filler.length) {
    await write(filler.subarray(0, Math.min(filler.length, total - sent)))
  }
}

/** Sends a stream that consists of a single, very long line. */
export async function sendHugeLine({ response }: Outgoing, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await writeAndFlush(response, new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"'))
  await writeFiller(
    (chunk) => writeAndFlush(response, chunk),
    bytes,
    () => response.destroyed,
  )
  response.end('"}}]}\n\ndata: [DONE]\n\n')
}

/** Sends a few compressed bytes that expand to many. */
export async function sendGzipBomb({ response }: Outgoing, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
  const gzip = createGzip({ level: 9 })
  gzip.pipe(response)
  response.on('close', () => gzip.destroy())
  await writeFiller(
    (chunk) => new Promise((resolve) => gzip.write(chunk, () => resolve())),
    bytes,
    () => response.destroyed,
  )
  gzip.end()
}
