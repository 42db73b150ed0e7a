import type { PdfLine } from './pdf-lines.ts'

const columnTolerance = 2
const rowGap = 3.5
const itemMark = /^(?:[-*•‣◦▪–●○■]|\d{1,3}[.)]?)$/

function getCellStarts(line: PdfLine): number[] {
  return line.cells.map(
    (cell) => line.runs.find((run) => cell.startsWith(run.text.trim()) && run.text.trim())?.x ?? Number.NaN,
  )
}

/** Splits a row at the known column starts, for rows whose almost full first cell leaves no wide gap after it. */
function splitAtColumns(line: PdfLine, starts: readonly number[]): string[] | null {
  const cells = starts.map(() => '')
  function isStart(x: number, start: number): boolean {
    return Math.abs(x - start) <= columnTolerance
  }
  let column = -1
  for (const run of line.runs) {
    const next = starts.findIndex((start) => isStart(run.x, start))
    if (next > column) column = next
    if (column === -1) return null
    cells[column] = `${cells[column]} ${run.text}`.trim()
  }
  return cells.every(Boolean) ? cells : null
}

/** Returns the rows of a table that begins at `start`: consecutive lines whose cells share columns. */
export function readTableAt(lines: readonly PdfLine[], start: number, leading: number): string[][] {
  const first = lines[start]
  if (!first || first.cells.length < 2) return []
  const rows = [first.cells]
  let starts = getCellStarts(first)
  for (let index = start + 1; index < lines.length; index++) {
    const [before, line] = [lines[index - 1], lines[index]]
    if (!before || !line || line.page !== first.page) break
    const gap = before.y - line.y
    if (gap <= 0 || gap > leading * rowGap) break
    const isWhole = line.cells.length === first.cells.length
    const cells = isWhole ? line.cells : splitAtColumns(line, starts)
    if (!cells) break
    if (isWhole) starts = getCellStarts(line)
    rows.push(cells)
  }
  // Bullets and numbers are separated from their text too, but that is a list.
  return rows.length >= 2 && !rows.every(([cell = '']) => itemMark.test(cell)) ? rows : []
}
