export type ExportFormat = 'csv' | 'jsonl'

const newline = 0x0a
const carriageReturn = 0x0d

/** The records before the first message: a header, and in CSV also the column names. */
const headerRecords: Record<ExportFormat, number> = { csv: 2, jsonl: 1 }

/** Counts the messages of an export as its chunks arrive. A chunk may end anywhere. */
export function createRecordCounter(format: ExportFormat) {
  // Line breaks inside a CSV field have no carriage return.
  function isRecordEnd(before: number | undefined): boolean {
    return format === 'jsonl' || before === carriageReturn
  }
  let records = 0
  let last: number | undefined
  return (chunk: Uint8Array): number => {
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) {
      if (isRecordEnd(at === 0 ? last : chunk[at - 1])) records += 1
    }
    last = chunk.at(-1) ?? last
    return Math.max(0, records - headerRecords[format])
  }
}
