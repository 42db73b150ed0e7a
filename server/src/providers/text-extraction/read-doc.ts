import { cleanText } from './clean-text.ts'
import { OleFile } from './ole-file.ts'
import { addParagraphs } from './plain-blocks.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { formatTableRows } from './table-rows.ts'
import { TextBuilder } from './text-builder.ts'
import { readLayout } from './word-layout.ts'
import { readParagraphs, type WordParagraph } from './word-paragraphs.ts'

function toLines(text: string): string[] {
  return cleanText(text).split('\n')
}

/** Groups paragraphs into tables and runs of text for the builder. */
class DocBlocks {
  readonly #builder: TextBuilder
  /** Headings are guessed only if no style marks any. */
  readonly #hasHeadings: boolean
  #lines: string[] = []
  #rows: string[][] = []
  #row: string[] = []
  #cell: string[] = []

  constructor(builder: TextBuilder, hasHeadings: boolean) {
    this.#builder = builder
    this.#hasHeadings = hasHeadings
  }

  take(paragraph: WordParagraph): void {
    if (paragraph.isInTable) this.#takeCell(paragraph)
    else {
      this.#endTable()
      if (paragraph.level === null) this.#lines.push(...toLines(paragraph.text))
      else {
        this.#endText()
        this.#builder.addHeading(paragraph.level, toLines(paragraph.text).join(' '))
      }
    }
  }

  end(): void {
    this.#endTable()
    this.#endText()
  }

  #takeCell({ text, ends }: WordParagraph): void {
    this.#endText()
    if (ends !== 'row') this.#cell.push(...toLines(text).map((line) => line.trim()))
    if (ends === 'cell') {
      this.#row.push(this.#cell.filter(Boolean).join(' '))
      this.#cell = []
    }
    if (ends === 'row') this.#endRow()
  }

  #endRow(): void {
    if (this.#cell.length > 0) this.#row.push(this.#cell.filter(Boolean).join(' '))
    if (this.#row.length > 0) this.#rows.push(this.#row)
    this.#row = []
    this.#cell = []
  }

  #endTable(): void {
    this.#endRow()
    const rows = this.#rows
    this.#rows = []
    // A table with one column is only a frame around text.
    if (rows.every((row) => row.length === 1)) this.#lines.push(...rows.flat())
    else this.#builder.add('table', formatTableRows(rows).join('\n'))
  }

  #endText(): void {
    addParagraphs(this.#builder, this.#lines, !this.#hasHeadings)
    this.#lines = []
  }
}

export async function readDoc(bytes: Buffer): Promise<ExtractedText> {
  const file = new OleFile(bytes)
  if (file.has('EncryptedPackage')) throw new ExtractionError('encrypted')
  const paragraphs = readParagraphs(readLayout(file))
  const builder = new TextBuilder()
  const blocks = new DocBlocks(
    builder,
    paragraphs.some(({ level, isInTable }) => level !== null && !isInTable),
  )
  for (const paragraph of paragraphs) blocks.take(paragraph)
  blocks.end()
  return builder.finish(null)
}
