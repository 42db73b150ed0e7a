import * as z from 'zod'
import type { Row } from '#db/snapshot.ts'
import { type ArchivedTable, ArchiveUnusable } from './archive-format.ts'

/** A row as a line of JSON; bytes as base64. */
export function encodeRow(row: Row): string {
  return `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)))}\n`
}

const archivedRow = z.array(z.union([z.string(), z.number(), z.null()]))

function parsedRow(line: Buffer): Row {
  try {
    return archivedRow.parse(JSON.parse(line.toString('utf8')))
  } catch (cause) {
    throw new ArchiveUnusable('a row of its records cannot be read', { cause })
  }
}

function decodeRow({ columns, byteColumns }: ArchivedTable, line: Buffer): Row {
  const row = parsedRow(line)
  if (row.length !== columns.length) throw new ArchiveUnusable('a row of its records has another width')
  for (const [at, name] of columns.entries()) {
    const value = row[at]
    if (byteColumns.includes(name) && typeof value === 'string') row[at] = Buffer.from(value, 'base64')
  }
  return row
}

/** Longer than the row of any document, with its text and where it stands on the pages. */
const longestLine = 128 * 1024 * 1024
/** So much of lines makes one yield. */
const atOnce = 1024 * 1024
const newline = 0x0a

/** Whole lines as they come, each without its end. */
async function* linesOf(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let [held, size]: [Buffer[], number] = [[], 0]
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end)
      yield held.length === 0 ? rest : Buffer.concat([...held, rest])
      ;[held, size] = [[], 0]
      start = end + 1
    }
    if (start === chunk.length) continue
    held.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > longestLine) throw new ArchiveUnusable('a row of its records is too long')
  }
  if (size > 0) throw new ArchiveUnusable('a part of its records is cut short')
}

/** The rows of an entry as it is read, however large it is: about a megabyte of them at a time, or one long one. */
export async function* decodeRows(
  table: ArchivedTable,
  content: AsyncIterable<Buffer>,
): AsyncIterable<Row[]> {
  let [rows, size]: [Row[], number] = [[], 0]
  for await (const line of linesOf(content)) {
    rows.push(decodeRow(table, line))
    size += line.length
    if (size < atOnce) continue
    yield rows
    ;[rows, size] = [[], 0]
  }
  if (rows.length > 0) yield rows
}
