import type { PdfLine } from './pdf-lines.ts'

const minRepeats = 4
const minShare = 0.03
const pageNumber = /^\W*(?:page|seite|página|p\.)?\s*\d{1,4}(?:\s*(?:\/|of|von|de|sur)\s*\d{1,4})?\W*$/i

function getKey(line: PdfLine): string {
  return `${Math.round(line.y / 4)} ${line.text.replace(/\d+/g, '#')}`
}

/** Returns the first and last two lines of each page, where headers and footers are. */
function findEdgeLines(lines: readonly PdfLine[]): PdfLine[] {
  const byPage = Map.groupBy(lines, (line) => line.page)
  return [...byPage.values()].flatMap((page) => {
    const sorted = page.toSorted((a, b) => b.y - a.y)
    return [...new Set([...sorted.slice(0, 2), ...sorted.slice(-2)])]
  })
}

const numberAtEdge = /^(\d{1,4})\s|\s(\d{1,4})$/
const minNumberedShare = 0.3

/** Finds lines with the page number next to other text, such as a chapter title or dictionary entries. */
function findNumberedLines(candidates: readonly PdfLine[], pages: number): PdfLine[] {
  const byOffset = Map.groupBy(candidates, ({ text, page }) => {
    const number = numberAtEdge.exec(text)
    return number ? Number(number[1] ?? number[2]) - page : null
  })
  byOffset.delete(null)
  const [most = []] = [...byOffset.values()].sort((a, b) => b.length - a.length)
  return most.length >= Math.max(minRepeats, pages * minNumberedShare) ? most : []
}

/** Finds repeated headers and footers and page numbers, which would interrupt sentences and pollute search results. */
export function findHeadersAndFooters(lines: readonly PdfLine[]): Set<PdfLine> {
  const candidates = findEdgeLines(lines)
  const counts = Map.groupBy(candidates, getKey)
  const pages = lines.at(-1)?.page ?? 0
  const minCount = Math.max(minRepeats, pages * minShare)
  const repeated = candidates.filter((line) => {
    const repeats = counts.get(getKey(line))?.length ?? 0
    return repeats >= minCount || (pages > 1 && repeats > 1 && pageNumber.test(line.text))
  })
  return new Set([...repeated, ...findNumberedLines(candidates, pages)])
}
