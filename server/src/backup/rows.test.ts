import { describe, expect, it } from 'vitest'
import { type ArchivedTable, ArchiveUnusable } from './archive-format.ts'
import { decodeRows, encodeRow } from './rows.ts'

const table: ArchivedTable = { name: 't', columns: ['id', 'bytes'], byteColumns: ['bytes'], rows: 0 }
const megabyte = 1024 * 1024

async function* inPieces(content: Buffer, length: number): AsyncIterable<Buffer> {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length)
}
async function read(content: AsyncIterable<Buffer>) {
  return (await Array.fromAsync(decodeRows(table, content))).flat()
}

describe('decodeRows', () => {
  const rows = [
    ['é', Buffer.from([0, 10, 255])],
    ['', null],
    ['x\n"y', null],
  ] as const
  const lines = Buffer.from(rows.map((row) => encodeRow([...row])).join(''))

  it.each(['{', '1', '[{"a":1},null]', '["a"]', '["a",null,null]', ''])(
    'rejects the line %s',
    async (line) => {
      await expect(read(inPieces(Buffer.from(`${line}\n`), 64))).rejects.toBeInstanceOf(ArchiveUnusable)
    },
  )

  it('rejects rows without a final line break', async () => {
    await expect(read(inPieces(lines.subarray(0, -1), 64))).rejects.toThrow('truncated')
  })

  it('returns the same rows for any chunk size', async () => {
    for (let length = 1; length <= lines.length; length += 1)
      expect(await read(inPieces(lines, length))).toEqual(rows)
    expect(await read(inPieces(Buffer.alloc(0), 1))).toEqual([])
  })

  it('yields rows while reading, so that memory use does not grow with the entry', async () => {
    const line = Buffer.from(encodeRow(['x'.repeat(10_000), null]))
    const piece = Buffer.concat(Array.from({ length: 7 }, () => line))
    const pieces = 500
    let [produced, decoded, maxPending] = [0, 0, 0]
    const content = async function* (): AsyncIterable<Buffer> {
      for (let at = 0; at < pieces; at += 1) {
        produced += piece.length
        yield piece
      }
    }
    for await (const some of decodeRows(table, content())) {
      decoded += some.length * line.length
      maxPending = Math.max(maxPending, produced - decoded + some.length * line.length)
    }
    expect(produced).toBeGreaterThan(30 * megabyte)
    expect(decoded).toBe(produced)
    expect(maxPending).toBeLessThan(2 * megabyte)
  })

  it('rejects a row that is longer than the limit', async () => {
    const piece = Buffer.alloc(16 * megabyte, 'x')
    let pieces = 0
    const endless = async function* (): AsyncIterable<Buffer> {
      for (; ; pieces += 1) yield piece
    }
    await expect(read(endless())).rejects.toThrow('too long')
    expect(pieces).toBe(8)
  })
})
