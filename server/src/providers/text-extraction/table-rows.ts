/** A colon at the end names what stands beside it, not what stands below. */
function looksLikeLabel(cell: string): boolean {
  return cell.length > 0 && cell.length <= 60 && !/^[\d.,%\s€$£+-]+$|:$/.test(cell)
}

function filled(cells: readonly string[]): number {
  return cells.filter(Boolean).length
}

/** One text across a wide table stands for the rows below it, not for a column. */
function isAcross(cells: readonly string[], columns: number): boolean {
  return columns > 2 && filled(cells) === 1
}

function startsWithLabels(rows: readonly string[][]): boolean {
  const [first] = rows
  return first !== undefined && rows.length > 1 && first.length > 1 && first.every(looksLikeLabel)
}

function named(cells: readonly string[], labels: readonly string[]): string {
  return cells
    .map((cell, column) => (cell && labels[column] ? `${labels[column]}: ${cell}` : cell))
    .filter(Boolean)
    .join(' | ')
}

/**
 * A table as lines that make sense alone, since a passage or a quotation may hold one row only:
 * each cell carries its column's name where the table has a row of names.
 */
export function tableRows(all: readonly string[][], hasHeader?: boolean): string[] {
  const columns = all.reduce((most, cells) => Math.max(most, cells.length), 0)
  const first = all.findIndex((cells) => !isAcross(cells, columns))
  const rows = all.slice(Math.max(0, first))
  function plain(cells: readonly string[]): string {
    return cells.filter(Boolean).join(' | ')
  }
  const titles = all.slice(0, Math.max(0, first)).map(plain)
  const [labels] = rows
  if (!(hasHeader ?? startsWithLabels(rows)) || !labels || rows.length === 1) {
    return [...titles, ...rows.map(plain)].filter(Boolean)
  }
  const below = rows.slice(1)
  // A name above an empty column would be lost.
  function isUnused(label: string, column: number): boolean {
    return label !== '' && below.every((cells) => !cells[column])
  }
  const alone = labels.some(isUnused) ? [plain(labels)] : []
  const lines = below.map((cells) => (isAcross(cells, columns) ? plain(cells) : named(cells, labels)))
  return [...titles, ...alone, ...lines].filter(Boolean)
}
