import type { PdfLine } from './pdf-lines.ts'

const leastRepeats = 4
const leastShare = 0.03
const pageNumber = /^\W*(?:page|seite|página|p\.)?\s*\d{1,4}(?:\s*(?:\/|of|von|de|sur)\s*\d{1,4})?\W*$/i

function keyOf(line: PdfLine): string {
  return `${Math.round(line.y / 4)} ${line.text.replace(/\d+/g, '#')}`
}

/** The first and last line of each page, where headers and footers stand. */
function edges(lines: readonly PdfLine[]): PdfLine[] {
  const byPage = Map.groupBy(lines, (line) => line.page)
  return [...byPage.values()].flatMap((page) => {
    const sorted = page.toSorted((a, b) => b.y - a.y)
    return [...new Set([...sorted.slice(0, 2), ...sorted.slice(-2)])]
  })
}

const numberAtEdge = /^(\d{1,4})\s|\s(\d{1,4})$/
const leastNumbered = 0.3

/** Lines with the page's own number, whatever stands beside it: the chapter, the entries of a dictionary. */
function numbered(candidates: readonly PdfLine[], pages: number): PdfLine[] {
  const byOffset = Map.groupBy(candidates, ({ text, page }) => {
    const number = numberAtEdge.exec(text)
    return number ? Number(number[1] ?? number[2]) - page : null
  })
  byOffset.delete(null)
  const [most = []] = [...byOffset.values()].sort((a, b) => b.length - a.length)
  return most.length >= Math.max(leastRepeats, pages * leastNumbered) ? most : []
}

/** Lines that every page repeats, and page numbers: they would break sentences and be found instead of text. */
export function furnitureOf(lines: readonly PdfLine[]): Set<PdfLine> {
  const candidates = edges(lines)
  const counts = Map.groupBy(candidates, keyOf)
  const pages = lines.at(-1)?.page ?? 0
  const least = Math.max(leastRepeats, pages * leastShare)
  const repeated = candidates.filter((line) => {
    const repeats = counts.get(keyOf(line))?.length ?? 0
    return repeats >= least || (pages > 1 && repeats > 1 && pageNumber.test(line.text))
  })
  return new Set([...repeated, ...numbered(candidates, pages)])
}
