type Cell = string | number

function formatCell(cell: Cell): string {
  return typeof cell === 'string' ? cell : Number.isInteger(cell) ? String(cell) : cell.toFixed(3)
}

/** A plain-text table with names left-aligned and figures right-aligned. */
export function formatTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const lines = [head, ...rows.map((row) => row.map(formatCell))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  function draw(line: readonly string[]): string {
    return line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  }
  const [first = '', ...rest] = lines.map(draw)
  return [`\n${title}`, first, '-'.repeat(first.length), ...rest].join('\n')
}

export function formatPercent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`
}
