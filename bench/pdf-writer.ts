const linesPerPage = 42
function escapeText(text: string): string {
  return text.replace(/[\\()]/g, '\\$&')
}

function createPageContent(lines: readonly string[]): string {
  return `BT /F1 11 Tf 14 TL 60 780 Td ${lines.map((line) => `(${escapeText(line)}) Tj T*`).join(' ')} ET`
}

/** Writes a PDF of plain text in a standard font, with a page for each list of lines. */
export function writePdf(pages: readonly (readonly string[])[]): Buffer {
  const firstPage = 4
  const kids = pages.map((_, at) => `${firstPage + at * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((lines, at) => {
      const content = createPageContent(lines.slice(0, linesPerPage))
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + at * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}
