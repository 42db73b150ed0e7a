import { describe, expect, it } from 'vitest'
import { type Line, makeTextPdf } from './fixtures/make-pdf.ts'
import { findHeadersAndFooters } from './pdf-headers-footers.ts'
import { findHeadingsByOutline } from './pdf-headings.ts'
import type { PdfLine } from './pdf-lines.ts'
import type { ExtractedText } from './port.ts'
import { readPdf } from './read-pdf.ts'

const allPages = { unreadPages: new Set<number>(), onPage: async () => undefined }

function read(...pages: Line[][]): Promise<ExtractedText> {
  return readPdf(makeTextPdf(pages), allPages)
}

function paragraph(top: number): Line[] {
  return Array.from({ length: 4 }, (_, row) => ({
    text: `The keeper lights the lamp at dusk and tends it through the night, row ${row}`,
    y: top - row * 12,
  }))
}

describe('accents', () => {
  it('are combined with the letter after them', async () => {
    const { text } = await read([
      { text: 'Presentaci\xb4on y m\xb4usica dif\xb4\x01cil', y: 700 },
      { text: 'La introducci\xb4on se public\xb4o aqu\xb4\x01', y: 680 },
      { text: 'Il mat\xb4eriel compl`ete conna\xb4\x01tre', y: 660 },
    ])
    expect(text).toContain('Presentación y música difícil')
    expect(text).toContain('La introducción se publicó aquí')
    expect(text).toContain('complète')
  })

  it('are kept if they are quotation marks', async () => {
    const { text } = await read([{ text: 'Run `apt install` and it\xb4s done for `everyone` here', y: 700 }])
    expect(text).toBe('Run `apt install` and it\xb4s done for `everyone` here')
  })
})

describe('a table of contents', () => {
  it('keeps its lines without dot leaders', async () => {
    const { text } = await read([
      { text: 'Introduction . . . . . . . . . . . . . . . . 1', y: 700 },
      { text: 'Mooring ................................ 12', y: 688 },
      ...paragraph(640),
    ])
    expect(text).toMatch(/^Introduction … 1\n\nMooring … 12\n\nThe keeper/)
  })
})

describe('a page with few letters', () => {
  const badge: Line[] = [{ text: 'Hello', y: 400 }]

  it('is text if the file has no picture', async () => {
    expect((await read(badge)).text).toBe('Hello')
  })

  it('is a scan if the file has a picture', async () => {
    const bytes = makeTextPdf([badge], {
      fifth: '<< /Type /XObject /Subtype /Image /Length 0 >>\nstream\n\nendstream',
    })
    await expect(readPdf(bytes, allPages)).rejects.toMatchObject({ fault: 'no_text' })
  })
})

describe('headings', () => {
  it('are found by font if they have body size', async () => {
    const { blocks } = await read([
      { text: 'SYNOPSIS', y: 760, font: 'F2' },
      ...paragraph(740),
      { text: 'Lighting the lamp', y: 670, font: 'F2' },
      ...paragraph(650),
      { text: 'HISTORY', y: 580, font: 'F2' },
      ...paragraph(560),
      ...paragraph(500),
      ...paragraph(440),
      ...paragraph(380),
    ])
    const headings = blocks.filter(({ kind }) => kind === 'heading').map(({ headingPath }) => headingPath)
    expect(headings).toEqual([['SYNOPSIS'], ['SYNOPSIS', 'Lighting the lamp'], ['HISTORY']])
  })

  function line(page: number, y: number, cells: string[]): PdfLine {
    return {
      page,
      cells,
      runs: [],
      text: cells.join(' '),
      x: 72,
      right: 300,
      y,
      size: 10,
      font: null,
    }
  }

  it('are found in a reference manual by the name before its description', () => {
    const heading = line(7, 700, ['abbreviate', 'Abbreviate Strings'])
    const lines = [line(7, 760, ['abbreviate', '7']), heading, line(7, 680, ['abbreviate shortens.'])]
    const found = findHeadingsByOutline([{ title: 'abbreviate', page: 7, level: 2 }], lines)
    expect([...found]).toEqual([[heading, { level: 2, lines: 1 }]])
  })

  it('are distinguished from running heads of a dictionary by the page number', () => {
    const names = ['abbreviate', 'agrep', 'all', 'any', 'aperm', 'apply']
    const heads = names.map((name, index) => line(index + 1, 760, [name, String(index + 6)]))
    const lines = heads.flatMap((head, index) => [head, line(index + 1, 700, [`About ${names[index]}.`])])
    expect([...findHeadersAndFooters(lines)]).toEqual(heads)
  })
})
