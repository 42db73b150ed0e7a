import { cleanLine } from './clean-text.ts'
import type { Headings } from './pdf-headings.ts'
import type { BodyStyle, PdfLine } from './pdf-lines.ts'
import { joinText } from './pdf-lines.ts'
import { readTableAt } from './pdf-tables.ts'
import { formatTableRows } from './table-rows.ts'
import type { TextBuilder } from './text-builder.ts'

const bullet = /^(?:[-*•‣◦▪–●○■]|\d{1,3}[.)]|[a-z][.)])\s+\S/
const paragraphGap = 1.3
/** A line with dot leaders and a page number. */
const contentsEntry = /… \S{1,8}$/
const sentenceEnd = /[.!?:;。！？]["'”’)]?$/

/** Whether a new paragraph starts at `line`, judged by spacing, font size, indentation and bullets. */
function startsParagraph(before: PdfLine, line: PdfLine, body: BodyStyle): boolean {
  if (before.page !== line.page || Math.abs(before.size - line.size) > body.size * 0.1) return true
  if (contentsEntry.test(before.text)) return true
  const gap = before.y - line.y
  if (gap < 0) return sentenceEnd.test(before.text)
  const usual = (body.leading / body.size) * Math.max(line.size, 1)
  if (gap > usual * paragraphGap || bullet.test(line.text)) return true
  const isIndented = line.x > before.x + line.size * 0.8 && line.x < before.x + line.size * 4
  return isIndented && sentenceEnd.test(before.text)
}

export function addLines(
  builder: TextBuilder,
  lines: readonly PdfLine[],
  headings: Headings,
  body: BodyStyle,
): void {
  let paragraph: PdfLine[] = []
  function flush(): void {
    const text = cleanLine(joinText(paragraph))
    const page = paragraph[0]?.page ?? null
    if (text) builder.add(bullet.test(text) ? 'list' : 'paragraph', text, page)
    paragraph = []
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (!line) continue
    const heading = headings.get(line)
    const rows = heading ? [] : readTableAt(lines, index, body.leading)
    if (heading) {
      flush()
      builder.addHeading(
        heading.level,
        cleanLine(joinText(lines.slice(index, index + heading.lines))),
        line.page,
      )
      index += heading.lines - 1
    } else if (rows.length > 0) {
      flush()
      builder.add('table', formatTableRows(rows.map((cells) => cells.map(cleanLine))).join('\n'), line.page)
      index += rows.length - 1
    } else {
      const before = paragraph.at(-1)
      if (before && startsParagraph(before, line, body)) flush()
      paragraph.push(line)
    }
  }
  flush()
}
