import { joinLines } from './clean-text.ts'

/** What the reader needs of pdf.js's text items. */
export interface PdfItem {
  str: string
  dir: string
  transform: number[]
  width: number
  height: number
  hasEOL: boolean
}

interface Run {
  x: number
  text: string
}

export interface PdfLine {
  page: number
  /** The line's pieces where wide gaps part them, as in a table. */
  cells: string[]
  /** The pieces as the file writes them, each with its place. */
  runs: Run[]
  text: string
  x: number
  right: number
  /** From the bottom of the page. */
  y: number
  size: number
}

const cellGap = 1.4
const spaceGap = 0.15
const sameLine = 0.5

interface OpenLine {
  cells: string[]
  runs: Run[]
  x: number
  right: number
  y: number
  size: number
  letters: Map<number, number>
}

function extend(line: OpenLine, item: PdfItem, x: number, size: number): void {
  const gap = x - line.right
  const last = line.cells.length - 1
  const text = line.cells[last] ?? ''
  if (gap > size * cellGap && item.dir !== 'rtl' && text.trim()) line.cells.push(item.str)
  else
    line.cells[last] = gap > size * spaceGap && !text.endsWith(' ') ? `${text} ${item.str}` : text + item.str
  line.runs.push({ x, text: item.str })
  line.right = Math.max(line.right, x + item.width)
  line.letters.set(size, (line.letters.get(size) ?? 0) + item.str.length)
}

const mostCommon = (counts: Map<number, number>): number =>
  [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]

function close(line: OpenLine, page: number): PdfLine | null {
  const cells = line.cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).filter(Boolean)
  if (cells.length === 0) return null
  const size = mostCommon(line.letters)
  return {
    page,
    cells,
    runs: line.runs,
    text: cells.join(' '),
    x: line.x,
    right: line.right,
    y: line.y,
    size,
  }
}

/** The printed lines of a page, in the order in which the file writes them. */
export function linesOf(items: readonly PdfItem[], page: number): PdfLine[] {
  const lines: PdfLine[] = []
  let open: OpenLine | null = null
  const flush = (): void => {
    const line = open && close(open, page)
    if (line) lines.push(line)
    open = null
  }
  for (const item of items) {
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform
    const size = Math.round((Math.hypot(c, d) || item.height) * 2) / 2
    if (open && Math.abs(open.y - y) > Math.max(open.size, size) * sameLine && item.str.trim()) flush()
    if (item.str.trim()) {
      if (open) extend(open, item, x, size)
      else {
        const letters = new Map([[size, item.str.length]])
        open = {
          cells: [item.str],
          runs: [{ x, text: item.str }],
          x,
          right: x + item.width,
          y,
          size,
          letters,
        }
      }
    }
    if (item.hasEOL) flush()
  }
  flush()
  return lines
}

/** The size most of the text is set in, and the usual distance between two of its lines. */
export function bodyOf(lines: readonly PdfLine[]): { size: number; leading: number } {
  const sizes = new Map<number, number>()
  for (const line of lines) sizes.set(line.size, (sizes.get(line.size) ?? 0) + line.text.length)
  const size = mostCommon(sizes) || 12
  const gaps = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const gap = before && before.page === line.page ? Math.round((before.y - line.y) * 2) / 2 : 0
    if (line.size === size && before?.size === size && gap > 0 && gap < size * 3)
      gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
  }
  return { size, leading: mostCommon(gaps) || size * 1.2 }
}

export const joined = (lines: readonly PdfLine[]): string =>
  lines.reduce((text, line) => (text ? joinLines(text, line.text) : line.text), '')
