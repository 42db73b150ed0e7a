/** A colon at the end names what stands beside it, not what stands below. */
const looksLikeLabel = (cell: string): boolean =>
  cell.length > 0 && cell.length <= 60 && !/^[\d.,%\s€$£+-]+$|:$/.test(cell)

const startsWithLabels = (rows: readonly string[][]): boolean => {
  const [first] = rows
  return first !== undefined && rows.length > 1 && first.length > 1 && first.every(looksLikeLabel)
}

/**
 * A table as lines that make sense alone, since a passage or a quotation may hold one row only:
 * each cell carries its column's name where the table has a row of names.
 */
export function tableRows(rows: readonly string[][], hasHeader = startsWithLabels(rows)): string[] {
  const [labels] = rows
  if (!hasHeader || !labels || rows.length === 1) {
    return rows.map((cells) => cells.filter(Boolean).join(' | ')).filter(Boolean)
  }
  const named = rows.slice(1).map((cells) =>
    cells
      .map((cell, column) => (cell && labels[column] ? `${labels[column]}: ${cell}` : cell))
      .filter(Boolean)
      .join(' | '),
  )
  // A name above an empty column would be lost.
  const isUnused = (label: string, column: number): boolean =>
    label !== '' && rows.slice(1).every((cells) => !cells[column])
  const alone = labels.some(isUnused) ? [labels.filter(Boolean).join(' | ')] : []
  return [...alone, ...named].filter(Boolean)
}
