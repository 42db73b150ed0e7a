import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import type { Behaviour, Framing } from './behaviour.ts'
import type { Gate } from './gate.ts'
import type { Frame } from './wire-formats.ts'

/** One answer under way; `closed` settles when its client has gone. */
export interface Outgoing {
  response: ServerResponse
  closed: Promise<void>
  gate: Gate
}

function flushed(response: ServerResponse, bytes: Uint8Array) {
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

function encode(frame: Frame, { lineEnd = '\n', comments = false, tight = false }: Framing): string {
  const space = tight ? '' : ' '
  const event = frame.event ? `event:${space}${frame.event}${lineEnd}` : ''
  const comment = comments ? `: still here${lineEnd}` : ''
  return `${comment}${event}data:${space}${frame.data}${lineEnd}${lineEnd}`
}

/** The names that the Assistants protocol gives to events which others send without one. */
export interface EventNames {
  error?: string
  text?: string
  done?: string
}

function named(event: string | undefined, data: string): Frame {
  return {
    ...(event === undefined ? {} : { event }),
    data,
    isPiece: false,
  }
}

/** Frames with the scripted damage between them. */
function* damaged(frames: Iterable<Frame>, behaviour: Behaviour, names: EventNames): Generator<Frame> {
  const { fault } = behaviour
  let pieces = 0
  for (const frame of frames) {
    if (frame.isPiece && fault && 'afterPieces' in fault && pieces === fault.afterPieces) {
      if (fault.kind === 'error-event') {
        const error = {
          message: fault.message ?? 'The server had an error',
          type: 'server_error',
          code: fault.code ?? null,
        }
        yield named(names.error, JSON.stringify({ error }))
        return
      }
      if (fault.kind === 'bad-lines') {
        for (let line = 0; line < fault.count; line++) yield named(names.text, '{"choices":[{"del')
      }
    }
    if (frame.isPiece) pieces += 1
    yield frame
  }
  if (behaviour.framing?.done !== false) yield named(names.done, '[DONE]')
}

async function writeSliced(response: ServerResponse, bytes: Uint8Array, slice: number) {
  for (let at = 0; at < bytes.length; at += slice) await flushed(response, bytes.subarray(at, at + slice))
}

/** Writes a stream as scripted. */
export async function sendStream(
  outgoing: Outgoing,
  frames: Iterable<Frame>,
  behaviour: Behaviour,
  names: EventNames = {},
): Promise<void> {
  const { response, closed, gate } = outgoing
  const { framing = {}, fault, delayMs = 0 } = behaviour
  if (framing.closeDelimited) response.useChunkedEncodingByDefault = false
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    ...(framing.closeDelimited ? { connection: 'close' } : {}),
  })
  response.flushHeaders()
  if (framing.byteOrderMark) await flushed(response, new Uint8Array([0xef, 0xbb, 0xbf]))
  let sent = 0
  let pieces = 0
  const queue = [...damaged(frames, behaviour, names)]
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
      await flushed(response, bytes)
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

/** A single line of a stream that goes on and on. */
export async function sendHugeLine({ response }: Outgoing, bytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  await flushed(response, new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"'))
  await writeFiller(
    (chunk) => flushed(response, chunk),
    bytes,
    () => response.destroyed,
  )
  response.end('"}}]}\n\ndata: [DONE]\n\n')
}

/** Few bytes on the line that unpack to many. */
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
