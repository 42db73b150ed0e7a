import type { ExtractionFault, TextBlock } from './port.ts'

/**
 * Output of the child: each page of a PDF as it is begun, and null after the last one; then text, blocks and done in
 * this order; or one fault.
 */
export type Frame =
  | { type: 'page'; page: number | null; pages: number }
  | { type: 'text'; text: string }
  | { type: 'blocks'; blocks: TextBlock[] }
  | { type: 'done'; pages: number | null }
  | { type: 'fault'; fault: ExtractionFault; detail: string }

const headBytes = 4
/** Small, so that parsing a frame does not block the server. */
const maxFrameBytes = 1024 * 1024

export function encodeFrame(frame: Frame): Buffer {
  const body = Buffer.from(JSON.stringify(frame))
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(body.length)
  return Buffer.concat([head, body])
}

/** Assembles frames from chunks of any size. Throws for invalid data. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0)

  read(chunk: Buffer): unknown[] {
    const values: unknown[] = []
    this.#pending = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk
    while (this.#pending.length >= headBytes) {
      const length = this.#pending.readUInt32BE()
      if (length > maxFrameBytes) throw new Error('frame too large')
      if (this.#pending.length < headBytes + length) break
      const body = this.#pending.subarray(headBytes, headBytes + length)
      this.#pending = this.#pending.subarray(headBytes + length)
      values.push(JSON.parse(body.toString('utf8')))
    }
    return values
  }
}
