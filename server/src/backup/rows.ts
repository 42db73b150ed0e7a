import * as z from 'zod'
import type { Row } from '#db/snapshot.ts'
import { type ArchivedTable, ArchiveUnusable } from './archive-format.ts'

/** Encodes a row as a line of JSON, with bytes as base64. */
export function encodeRow(row: Row): string {
  return `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)))}\n`
}

const archivedRow = z.array(z.union([z.string(), z.number(), z.null()]))

function parseRow(line: Buffer): Row {
  try {
    return archivedRow.parse(JSON.parse(line.toString('utf8')))
  } catch (cause) {
    throw new ArchiveUnusable('one of its rows cannot be read', { cause })
  }
}

function decodeRow({ columns, byteColumns }: ArchivedTable, line: Buffer): Row {
  const row = parseRow(line)
  if (row.length !== columns.length)
    throw new ArchiveUnusable('one of its rows has the wrong number of columns')
  for (const [at, name] of columns.entries()) {
    const value = row[at]
    if (byteColumns.includes(name) && typeof value === 'string') row[at] = Buffer.from(value, 'base64')
  }
  return row
}

/** Longer than the row of any document with its text and page positions. */
const maxLineBytes = 128 * 1024 * 1024
const bytesPerBatch = 1024 * 1024
const newline = 0x0a

/** Yields complete lines without the line break. */
async function* splitLines(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let [pending, size]: [Buffer[], number] = [[], 0]
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end)
      yield pending.length === 0 ? rest : Buffer.concat([...pending, rest])
      ;[pending, size] = [[], 0]
      start = end + 1
    }
    if (start === chunk.length) continue
    pending.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > maxLineBytes) throw new ArchiveUnusable('one of its rows is too long')
  }
  if (size > 0) throw new ArchiveUnusable('some of its rows are truncated')
}

/** Decodes the rows of an entry while it is read, in batches of about a megabyte or one long row. */
export async function* decodeRows(
  table: ArchivedTable,
  content: AsyncIterable<Buffer>,
): AsyncIterable<Row[]> {
  let [rows, size]: [Row[], number] = [[], 0]
  for await (const line of splitLines(content)) {
    rows.push(decodeRow(table, line))
    size += line.length
    if (size < bytesPerBatch) continue
    yield rows
    ;[rows, size] = [[], 0]
  }
  if (rows.length > 0) yield rows
}
