import { joinLines } from './clean-text.ts'

/** The fields of a pdf.js text item that are used here. */
export interface PdfItem {
  str: string
  dir: string
  transform: number[]
  width: number
  height: number
  hasEOL: boolean
  fontName: string
}

interface Run {
  x: number
  text: string
}

export interface PdfLine {
  page: number
  /** The text of the line, split at wide gaps as between table columns. */
  cells: string[]
  /** The text items of the line with their positions. */
  runs: Run[]
  text: string
  x: number
  right: number
  /** Measured from the bottom of the page. */
  y: number
  size: number
  /** The font of the whole line, as named in the file; null if it has several. */
  font: string | null
}

const cellGap = 1.4
const spaceGap = 0.15
const lineTolerance = 0.5

interface OpenLine {
  cells: string[]
  runs: Run[]
  x: number
  right: number
  y: number
  size: number
  lettersBySize: Map<number, number>
  fonts: Set<string>
}

function appendItem(line: OpenLine, item: PdfItem, x: number, size: number): void {
  const gap = x - line.right
  const last = line.cells.length - 1
  const text = line.cells[last] ?? ''
  if (gap > size * cellGap && item.dir !== 'rtl' && text.trim()) line.cells.push(item.str)
  else
    line.cells[last] = gap > size * spaceGap && !text.endsWith(' ') ? `${text} ${item.str}` : text + item.str
  line.runs.push({ x, text: item.str })
  line.right = Math.max(line.right, x + item.width)
  line.lettersBySize.set(size, (line.lettersBySize.get(size) ?? 0) + item.str.length)
  line.fonts.add(item.fontName)
}

function findMostCommon(counts: Map<number, number>): number {
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

const leaders = /(?:\s?[.·]){5,}|(?:\s\.){3,}/g

/** Replaces the dot leaders of a table of contents, which carry no meaning, with an ellipsis. */
function shortenLeaders(text: string): string {
  return text.replace(leaders, ' …')
}

function closeLine(line: OpenLine, page: number): PdfLine | null {
  const cells = line.cells.map((cell) => shortenLeaders(cell.replace(/\s+/g, ' ')).trim()).filter(Boolean)
  if (cells.length === 0) return null
  const size = findMostCommon(line.lettersBySize)
  return {
    page,
    cells,
    runs: line.runs,
    text: cells.join(' '),
    x: line.x,
    right: line.right,
    y: line.y,
    size,
    font: line.fonts.size === 1 ? ([...line.fonts][0] ?? null) : null,
  }
}

/** Builds the lines of a page, in the order of the file. */
export function buildLines(items: readonly PdfItem[], page: number): PdfLine[] {
  const lines: PdfLine[] = []
  let open: OpenLine | null = null
  function flush(): void {
    const line = open && closeLine(open, page)
    if (line) lines.push(line)
    open = null
  }
  for (const item of items) {
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform
    const size = Math.round((Math.hypot(c, d) || item.height) * 2) / 2
    if (open && Math.abs(open.y - y) > Math.max(open.size, size) * lineTolerance && item.str.trim()) flush()
    if (item.str.trim()) {
      if (open) appendItem(open, item, x, size)
      else {
        const lettersBySize = new Map([[size, item.str.length]])
        open = {
          cells: [item.str],
          runs: [{ x, text: item.str }],
          x,
          right: x + item.width,
          y,
          size,
          lettersBySize,
          fonts: new Set([item.fontName]),
        }
      }
    }
    if (item.hasEOL) flush()
  }
  flush()
  return lines
}

export interface BodyStyle {
  size: number
  leading: number
  font: string | null
}

/** Determines the most common font size, font and line spacing. */
export function measureBodyStyle(lines: readonly PdfLine[]): BodyStyle {
  const sizes = new Map<number, number>()
  for (const line of lines) sizes.set(line.size, (sizes.get(line.size) ?? 0) + line.text.length)
  const size = findMostCommon(sizes) || 12
  const gaps = new Map<number, number>()
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const gap = before && before.page === line.page ? Math.round((before.y - line.y) * 2) / 2 : 0
    if (line.size === size && before?.size === size && gap > 0 && gap < size * 3)
      gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
  }
  const fonts = new Map<string, number>()
  for (const { font, text } of lines) if (font) fonts.set(font, (fonts.get(font) ?? 0) + text.length)
  const font = [...fonts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null
  return { size, leading: findMostCommon(gaps) || size * 1.2, font }
}

export function joinText(lines: readonly PdfLine[]): string {
  return lines.reduce((text, line) => (text ? joinLines(text, line.text) : line.text), '')
}
