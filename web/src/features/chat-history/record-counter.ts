export type ExportFormat = 'csv' | 'jsonl'

const newline = 0x0a
const carriageReturn = 0x0d

/** What stands above the messages in a file: its head, and in a table the names of the columns. */
const headRecords: Record<ExportFormat, number> = { csv: 2, jsonl: 1 }

/** Counts the messages of an export while it comes, in pieces that may break anywhere. */
export function recordCounter(format: ExportFormat) {
  // A table's field may hold lines of its own, which end without a carriage return.
  function endsRecord(before: number | undefined): boolean {
    return format === 'jsonl' || before === carriageReturn
  }
  let records = 0
  let last: number | undefined
  return (piece: Uint8Array): number => {
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1)) {
      if (endsRecord(at === 0 ? last : piece[at - 1])) records += 1
    }
    last = piece.at(-1) ?? last
    return Math.max(0, records - headRecords[format])
  }
}
