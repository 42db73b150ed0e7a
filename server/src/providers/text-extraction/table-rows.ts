/** A cell that ends with a colon labels the cell next to it, not the column. */
function looksLikeLabel(cell: string): boolean {
  return cell.length > 0 && cell.length <= 60 && !/^[\d.,%\s€$£+-]+$|:$/.test(cell)
}

function countFilled(cells: readonly string[]): number {
  return cells.filter(Boolean).length
}

/** A wide row with only one filled cell is a title for the rows below, not a row of column labels. */
function spansTable(cells: readonly string[], columns: number): boolean {
  return columns > 2 && countFilled(cells) === 1
}

function startsWithLabels(rows: readonly string[][]): boolean {
  const [first] = rows
  return first !== undefined && rows.length > 1 && first.length > 1 && first.every(looksLikeLabel)
}

function labelCells(cells: readonly string[], labels: readonly string[]): string {
  return cells
    .map((cell, column) => (cell && labels[column] ? `${labels[column]}: ${cell}` : cell))
    .filter(Boolean)
    .join(' | ')
}

/**
 * Formats a table as self-contained lines, because a passage or quotation may contain a single row. If the table has a
 * header row, every cell is prefixed with its column's label.
 */
export function formatTableRows(all: readonly string[][], hasHeader?: boolean): string[] {
  const columns = all.reduce((most, cells) => Math.max(most, cells.length), 0)
  const first = all.findIndex((cells) => !spansTable(cells, columns))
  const rows = all.slice(Math.max(0, first))
  function joinCells(cells: readonly string[]): string {
    return cells.filter(Boolean).join(' | ')
  }
  const titles = all.slice(0, Math.max(0, first)).map(joinCells)
  const [labels] = rows
  if (!(hasHeader ?? startsWithLabels(rows)) || !labels || rows.length === 1) {
    return [...titles, ...rows.map(joinCells)].filter(Boolean)
  }
  const below = rows.slice(1)
  // If a column is empty below its label, add all labels as a row, so that this label is not lost.
  const used = new Set(below.flatMap((cells) => [...cells.keys()].filter((column) => cells[column])))
  function isUnused(label: string, column: number): boolean {
    return label !== '' && !used.has(column)
  }
  const labelRow = labels.some(isUnused) ? [joinCells(labels)] : []
  const lines = below.map((cells) =>
    spansTable(cells, columns) ? joinCells(cells) : labelCells(cells, labels),
  )
  return [...titles, ...labelRow, ...lines].filter(Boolean)
}
