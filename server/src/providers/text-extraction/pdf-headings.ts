import type { PdfLine } from './pdf-lines.ts'

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

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

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
      const count = linesSpelling(title, page, index)
      if (count > 0 && (!best || line.size > best.line.size)) best = { line, lines: count }
    }
    if (best) headings.set(best.line, { level: entry.level, lines: best.lines })
  }
  return headings
}

/** Headings by their larger print, where there is no outline. */
export function headingsBySize(lines: readonly PdfLine[], bodySize: number): Headings {
  const isLarge = (line: PdfLine): boolean =>
    line.size >= bodySize * leastGrowth && line.text.length <= longest && /\p{L}{2}/u.test(line.text)
  const large = lines.filter(isLarge)
  if (large.length > lines.length * mostShare) return new Map()
  const sizes = [...new Set(large.map((line) => line.size))].sort((a, b) => b - a).slice(0, mostLevels)
  const headings: Headings = new Map()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (!line || !isLarge(line)) continue
    let count = 1
    const follows = (next: PdfLine | undefined): boolean =>
      next !== undefined && next.size === line.size && next.page === line.page && isLarge(next)
    while (count < mostLines && follows(lines[index + count])) count++
    const level = sizes.indexOf(line.size) + 1
    headings.set(line, { level: level || mostLevels, lines: count })
    index += count - 1
  }
  return headings
}
