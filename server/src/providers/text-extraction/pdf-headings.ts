import type { BodyStyle, PdfLine } from './pdf-lines.ts'

export interface OutlineEntry {
  title: string
  page: number
  level: number
}

/** Headings by their first line; `lines` counts the lines of a heading. */
export type Headings = Map<PdfLine, { level: number; lines: number }>

const maxLength = 150
const maxLines = 3
const minGrowth = 1.12
const maxLevels = 4
const maxShare = 0.3

function toLettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Returns how many lines, beginning at `start`, form the title; 0 if they do not match it. */
function countTitleLines(title: string, lines: readonly PdfLine[], start: number): number {
  let text = ''
  for (let count = 1; count <= maxLines; count++) {
    const line = lines[start + count - 1]
    if (!line) return 0
    text += toLettersAndDigits(line.text)
    if (text === title) return count
    if (!title.startsWith(text)) return 0
  }
  return 0
}

/** Reference manuals print a name next to its description, while the outline contains only the name. */
function isNameWithDescription(title: string, { cells }: PdfLine): boolean {
  return (
    cells.length === 2 && toLettersAndDigits(cells[0] ?? '') === title && /\p{L}{2}/u.test(cells[1] ?? '')
  )
}

/** Finds the titles of the outline on the pages they point to. */
export function findHeadingsByOutline(outline: readonly OutlineEntry[], lines: readonly PdfLine[]): Headings {
  const byPage = Map.groupBy(lines, (line) => line.page)
  const headings: Headings = new Map()
  for (const entry of outline) {
    const page = byPage.get(entry.page) ?? []
    const title = toLettersAndDigits(entry.title)
    let best: { line: PdfLine; lines: number } | null = null
    for (const [index, line] of page.entries()) {
      if (headings.has(line) || !title) continue
      const count = countTitleLines(title, page, index) || Number(isNameWithDescription(title, line))
      if (count > 0 && (!best || line.size > best.line.size)) best = { line, lines: count }
    }
    if (best) headings.set(best.line, { level: entry.level, lines: best.lines })
  }
  return headings
}

/** Finds headings by their larger font size, for files without an outline. */
export function findHeadingsBySize(lines: readonly PdfLine[], bodySize: number): Headings {
  function isLarge(line: PdfLine): boolean {
    return line.size >= bodySize * minGrowth && line.text.length <= maxLength && /\p{L}{2}/u.test(line.text)
  }
  function continues(line: PdfLine, next: PdfLine | undefined): boolean {
    return next !== undefined && next.size === line.size && next.page === line.page && isLarge(next)
  }
  const large = lines.filter(isLarge)
  if (large.length > lines.length * maxShare) return new Map()
  const sizes = [...new Set(large.map((line) => line.size))].sort((a, b) => b - a).slice(0, maxLevels)
  const headings: Headings = new Map()
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (!line || !isLarge(line)) continue
    let count = 1
    while (count < maxLines && continues(line, lines[index + count])) count++
    const level = sizes.indexOf(line.size) + 1
    headings.set(line, { level: level || maxLevels, lines: count })
    index += count - 1
  }
  return headings
}

const maxFontHeadingLength = 80
const maxFontHeadingShare = 0.15
const minGapAbove = 1.2

/** Finds headings of body size by their font: alone on their line and separated from the text above. */
export function findHeadingsByFont(lines: readonly PdfLine[], body: BodyStyle): Headings {
  function isApart(line: PdfLine, index: number): boolean {
    const before = lines[index - 1]
    return before?.page !== line.page || before.y - line.y > body.leading * minGapAbove || before.y < line.y
  }
  function isTitle({ text, cells, font, size }: PdfLine): boolean {
    return (
      font !== null &&
      font !== body.font &&
      cells.length === 1 &&
      size >= body.size * 0.95 &&
      text.length <= maxFontHeadingLength &&
      /^[\p{Lu}\p{N}]/u.test(text) &&
      /\p{L}{3}/u.test(text) &&
      !/[.,;:!?]$|…/.test(text)
    )
  }
  const found = lines.filter((line, index) => {
    const next = lines[index + 1]
    return isTitle(line) && isApart(line, index) && next?.page === line.page && next.font !== line.font
  })
  if (found.length > lines.length * maxFontHeadingShare) return new Map()
  // The most common font of the candidates is the heading font; others mark something else.
  const fonts = Map.groupBy(found, (line) => line.font)
  const [titles = []] = [...fonts.values()].sort((a, b) => b.length - a.length)
  function isCapital({ text }: PdfLine): boolean {
    return text === text.toUpperCase()
  }
  const hasCapitals = titles.some(isCapital)
  return new Map(titles.map((line) => [line, { level: hasCapitals && !isCapital(line) ? 2 : 1, lines: 1 }]))
}
