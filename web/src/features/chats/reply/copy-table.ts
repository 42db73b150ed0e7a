import { copyText } from '#lib/copy-text.ts'

/** The text of a cell in one line, with formulas as TeX and without the numbers of citations. */
function readCell(cell: Element): string {
  const copy = cell.cloneNode(true) as Element
  for (const button of copy.querySelectorAll('button')) button.remove()
  for (const formula of copy.querySelectorAll('.katex'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? formula.textContent ?? '')
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** A table with nothing but its text, for spreadsheets and word processors. */
function toHtml(rows: readonly (readonly { isHeader: boolean; text: string }[])[]): string {
  const table = document.createElement('table')
  for (const cells of rows) {
    const row = table.insertRow()
    for (const { isHeader, text } of cells) {
      const cell = document.createElement(isHeader ? 'th' : 'td')
      cell.textContent = text
      row.append(cell)
    }
  }
  return table.outerHTML
}

/** Copies a table as HTML and as tab-separated text. Resolves to false when the browser refuses. */
export async function copyTable(table: HTMLTableElement): Promise<boolean> {
  const rows = [...table.rows].map((row) =>
    [...row.cells].map((cell) => ({ isHeader: cell.tagName === 'TH', text: readCell(cell) })),
  )
  const text = rows.map((cells) => cells.map((cell) => cell.text).join('\t')).join('\n')
  try {
    await navigator.clipboard.write([
      new ClipboardItem({
        'text/plain': new Blob([text], { type: 'text/plain' }),
        'text/html': new Blob([toHtml(rows)], { type: 'text/html' }),
      }),
    ])
    return true
  } catch {
    return copyText(text)
  }
}
