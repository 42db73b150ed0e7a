import type { PdfLine } from './pdf-lines.ts'

const combining: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '\u00B4': '\u0301',
  '\u02C6': '\u0302',
  '\u02DC': '\u0303',
  '\u00AF': '\u0304',
  '\u02D8': '\u0306',
  '\u02D9': '\u0307',
  '\u00A8': '\u0308',
  '\u02DA': '\u030A',
  '\u02DD': '\u030B',
  '\u02C7': '\u030C',
  '\u00B8': '\u0327',
}

const accented =
  /([`\u00B4\u02C6\u02DC\u00AF\u02D8\u02D9\u00A8\u02DA\u02DD\u02C7\u00B8])([A-Za-z\u0131\u0237])/g
const telling = /[`\u00B4\u02C6\u00A8]\u0131|[A-Za-z]\u00A8[aou]/
const leastTelling = 3

function compose(text: string): string {
  return text.replace(accented, (both, accent: string, letter: string) => {
    const plain = letter === '\u0131' ? 'i' : letter === '\u0237' ? 'j' : letter
    const composed = `${plain}${combining[accent] ?? ''}`.normalize('NFC')
    return composed.length === 1 ? composed : both
  })
}

/**
 * TeX's older fonts have no letters with accents: it prints the accent and then the letter. Such a file is known by
 * its i without a dot below accents, or by two dots within words. Elsewhere these signs may be quotation marks or stand for themselves.
 */
export function composeAccents(lines: PdfLine[]): PdfLine[] {
  if (lines.filter(({ text }) => telling.test(text)).length < leastTelling) return lines
  return lines.map((line) => ({
    ...line,
    text: compose(line.text),
    cells: line.cells.map(compose),
    runs: line.runs.map((run) => ({ ...run, text: compose(run.text) })),
  }))
}
