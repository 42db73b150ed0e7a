import type { TextRange } from './text-blocks.ts'

interface TableRow {
  /** One for each column; null for an empty cell. */
  cells: (TextRange | null)[]
  /** A title above the rows that follow. */
  isTitle: boolean
}

export interface ParsedTable {
  labels: string[] | null
  rows: TableRow[]
}

interface Cell extends TextRange {
  label: string | null
  valueStart: number
}

const separator = ' | '
const labelPattern = /^([^:]{1,60}): (?=\S)/
const maxColumns = 40

function readCells(line: string, lineStart: number): Cell[] {
  let start = lineStart
  return line.split(separator).map((text) => {
    const cell: Cell = { start, end: start + text.length, label: null, valueStart: start }
    const match = labelPattern.exec(text)
    if (match?.[1]) {
      cell.label = match[1]
      cell.valueStart = start + match[0].length
    }
    start = cell.end + separator.length
    return cell
  })
}

function readLines(text: string, start: number): Cell[][] {
  let at = start
  return text.split('\n').flatMap((line) => {
    const cells = line.trim() === '' ? [] : [readCells(line, at)]
    at += line.length + 1
    return cells
  })
}

/** The columns of a table, in the order of its rows: an empty cell was left out together with its label. */
function findLabels(lines: readonly Cell[][]): string[] {
  const labels: string[] = []
  for (const cells of lines) {
    let position = 0
    for (const { label } of cells) {
      if (label === null) continue
      const known = labels.indexOf(label)
      if (known < 0) labels.splice(position, 0, label)
      position = (known < 0 ? position : known) + 1
    }
  }
  return labels
}

/** Whether the cells repeat their labels from row to row, as the server writes a table with a header row. */
function hasLabels(lines: readonly Cell[][]): boolean {
  const rows = lines.filter((cells) => cells.length > 1)
  const labelled = rows.filter((cells) => cells.some(({ label }) => label !== null))
  // One row may consist of the labels.
  if (labelled.length === 0 || rows.length - labelled.length > 1) return false
  const cells = labelled.flat()
  if (labelled.length === 1) return cells.every(({ label }) => label !== null)
  const counts = new Map<string | null, number>()
  for (const { label } of cells) counts.set(label, (counts.get(label) ?? 0) + 1)
  const repeated = cells.filter(({ label }) => label !== null && (counts.get(label) ?? 0) > 1)
  return repeated.length > cells.length * 0.6
}

function toLabelledRow(cells: readonly Cell[], labels: readonly string[]): TableRow {
  const row: TableRow = { cells: labels.map(() => null), isTitle: false }
  if (cells.every(({ label }) => label === null)) return { cells: [...cells], isTitle: true }
  let last = -1
  for (const { label, valueStart, start, end } of cells) {
    const column = label === null ? last + 1 : labels.indexOf(label)
    const isFree = row.cells[column] === null
    // A cell without a known place keeps its text, next to the cell before it.
    const place = isFree ? column : Math.max(last, 0)
    const before = row.cells[place]
    row.cells[place] = before
      ? { start: before.start, end }
      : { start: isFree && label ? valueStart : start, end }
    last = place
  }
  return row
}

/** Restores the rows and columns of a table from its lines. Offsets in the result are those of the whole document. */
export function parseTable(text: string, start: number): ParsedTable {
  const lines = readLines(text, start)
  if (hasLabels(lines)) {
    const labels = findLabels(lines)
    // The server writes the labels as a row of its own if a column is empty.
    const headings = lines.find((cells) => cells.length > 1 && cells.every(({ label }) => label === null))
    const names = headings?.map(({ start: from, end }) => text.slice(from - start, end - start)) ?? []
    const isHeader = names.length > 0 && labels.every((label) => names.includes(label))
    const columns = isHeader ? names : labels
    if (columns.length <= maxColumns)
      return {
        labels: columns,
        rows: lines
          .filter((cells) => !(isHeader && cells === headings))
          .map((cells) => toLabelledRow(cells, columns)),
      }
  }
  return {
    labels: null,
    rows: lines.map((cells) => ({
      cells: cells.map(({ start: from, end }) => ({ start: from, end })),
      isTitle: false,
    })),
  }
}
