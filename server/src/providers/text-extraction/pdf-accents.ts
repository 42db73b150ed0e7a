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
const separateAccent = /[`\u00B4\u02C6\u00A8]\u0131|[A-Za-z]\u00A8[aou]/
const minLines = 3

function compose(text: string): string {
  return text.replace(accented, (both, accent: string, letter: string) => {
    const plain = letter === '\u0131' ? 'i' : letter === '\u0237' ? 'j' : letter
    const composed = `${plain}${combining[accent] ?? ''}`.normalize('NFC')
    return composed.length === 1 ? composed : both
  })
}

/**
 * Combines accents with the letter after them. Older TeX fonts have no accented letters and print the accent first. Such
 * files are recognized by a dotless i after an accent or a diaeresis inside words. In other files these characters may be
 * quotation marks or have their own meaning.
 */
export function composeAccents(lines: PdfLine[]): PdfLine[] {
  if (lines.filter(({ text }) => separateAccent.test(text)).length < minLines) return lines
  return lines.map((line) => ({
    ...line,
    text: compose(line.text),
    cells: line.cells.map(compose),
    runs: line.runs.map((run) => ({ ...run, text: compose(run.text) })),
  }))
}
