import * as z from 'zod'
import type { Row } from '#db/snapshot.ts'
import { type ArchivedTable, ArchiveUnusable } from './archive-format.ts'

/** A row as a line of JSON; bytes as base64. */
export const encodeRow = (row: Row): string =>
  `${JSON.stringify(row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value)))}\n`

const archivedRow = z.array(z.union([z.string(), z.number(), z.null()]))

export const decodeRows = ({ columns, byteColumns }: ArchivedTable, lines: Buffer): Row[] => {
  const bytesAt = columns.flatMap((name, at) => (byteColumns.includes(name) ? [at] : []))
  const rows = lines.toString('utf8').split('\n')
  if (rows.pop() !== '') throw new ArchiveUnusable('a part of its records is cut short')
  return rows.map((line) => {
    const row: Row = archivedRow.parse(JSON.parse(line))
    if (row.length !== columns.length) throw new ArchiveUnusable('a row of its records has another width')
    for (const at of bytesAt) {
      const value = row[at]
      if (typeof value === 'string') row[at] = Buffer.from(value, 'base64')
    }
    return row
  })
}
