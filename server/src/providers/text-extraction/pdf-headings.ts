import type { Body, PdfLine } from './pdf-lines.ts'

export interface OutlineEntry {
  title: string
  page: number
  level: number
}

/** The level of each heading line; a heading of several lines is its first line with `lines` > 1. */
export type Headings = Map<PdfLine, { level: number; lines: number }>

const longest = 150
const mostLines = 3
const leastGrowth = 1.12
const mostLevels = 4
const mostShare = 0.3

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** How many lines from `start` on spell the title; 0 when they do not. */
function linesSpelling(title: string, lines: readonly PdfLine[], start: number): number {
  let text = ''
  for (let count = 1; count <= mostLines; count++) {
    const line = lines[start + count - 1]
    if (!line) return 0
    text += bare(line.text)
    if (text === title) return count
    if (!title.startsWith(text)) return 0
  }
  return 0
}

/** A reference manual prints a name and beside it what it stands for; its outline has the name alone. */
function isName(title: string, { cells }: PdfLine): boolean {
  return cells.length === 2 && bare(cells[0] ?? '') === title && /\p{L}{2}/u.test(cells[1] ?? '')
}

/** Finds the outline's titles among the printed lines of the pages they point to. */
export function headingsByOutline(outline: readonly OutlineEntry[], lines: readonly PdfLine[]): Headings {
  const byPage = Map.groupBy(lines, (line) => line.page)
  const headings: Headings = new Map()
  for (const entry of outline) {
    const page = byPage.get(entry.page) ?? []
    const title = bare(entry.title)
    let best: { line: PdfLine; lines: number } | null = null
    for (const [index, line] of page.entries()) {
      if (headings.has(line) || !title) continue
      const count = linesSpelling(title, page, index) || Number(isName(title, line))
      if (count > 0 && (!best || line.size > best.line.size)) best = { line, lines: count }
    }
    if (best) headings.set(best.line, { level: entry.level, lines: best.lines })
  }
  return headings
}

/** Headings by their larger print, where there is no outline. */
export function headingsBySize(lines: readonly PdfLine[], bodySize: number): Headings {
  function isLarge(line: PdfLine): boolean {
    return line.size >= bodySize * leastGrowth && line.text.length <= longest && /\p{L}{2}/u.test(line.text)
  }
  function continues(line: PdfLine, next: PdfLine | undefined): boolean {
    return next !== undefined && next.size === line.size && next.page === line.page && isLarge(next)
  }
  const large = lines.filter(isLarge)
  if (large.length > lines.length * mostShare) return new Map()
  const sizes = [...new Set(large.map((line) => line.size))].sort((a, b) => b - a).slice(0, mostLevels)
  const headings: Headings = new Map()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (!line || !isLarge(line)) continue
    let count = 1
    while (count < mostLines && continues(line, lines[index + count])) count++
    const level = sizes.indexOf(line.size) + 1
    headings.set(line, { level: level || mostLevels, lines: count })
    index += count - 1
  }
  return headings
}

const longestBold = 80
const mostBoldShare = 0.15
const leastBoldGap = 1.2

/** Headings of the text's own size in a font of their own, alone on their lines and apart from what stands above. */
export function headingsByFont(lines: readonly PdfLine[], body: Body): Headings {
  function isApart(line: PdfLine, index: number): boolean {
    const before = lines[index - 1]
    return before?.page !== line.page || before.y - line.y > body.leading * leastBoldGap || before.y < line.y
  }
  function isTitle({ text, cells, font, size }: PdfLine): boolean {
    return (
      font !== null &&
      font !== body.font &&
      cells.length === 1 &&
      size >= body.size * 0.95 &&
      text.length <= longestBold &&
      /^[\p{Lu}\p{N}]/u.test(text) &&
      /\p{L}{3}/u.test(text) &&
      !/[.,;:!?]$|…/.test(text)
    )
  }
  const found = lines.filter((line, index) => {
    const next = lines[index + 1]
    return isTitle(line) && isApart(line, index) && next?.page === line.page && next.font !== line.font
  })
  if (found.length > lines.length * mostBoldShare) return new Map()
  // The font of most titles is the one for titles; another one marks something else.
  const fonts = Map.groupBy(found, (line) => line.font)
  const [titles = []] = [...fonts.values()].sort((a, b) => b.length - a.length)
  function isCapital({ text }: PdfLine): boolean {
    return text === text.toUpperCase()
  }
  const hasCapitals = titles.some(isCapital)
  return new Map(titles.map((line) => [line, { level: hasCapitals && !isCapital(line) ? 2 : 1, lines: 1 }]))
}
