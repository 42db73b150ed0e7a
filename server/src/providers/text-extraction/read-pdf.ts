import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { composeAccents } from './pdf-accents.ts'
import { addLines } from './pdf-blocks.ts'
import { findHeadersAndFooters } from './pdf-headers-footers.ts'
import type { Headings, OutlineEntry } from './pdf-headings.ts'
import { findHeadingsByFont, findHeadingsByOutline, findHeadingsBySize } from './pdf-headings.ts'
import type { BodyStyle, PdfItem, PdfLine } from './pdf-lines.ts'
import { buildLines, measureBodyStyle } from './pdf-lines.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { TextBuilder } from './text-builder.ts'

const maxPages = 5000
const maxCharacters = 5 * 1024 * 1024
const minLettersPerPage = 20
const minHeadingsPerPage = 0.2
const maxOutlineEntries = 5000
const maxOutlineDepth = 6

function getFolder(name: string): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))
}

async function open(bytes: Buffer): Promise<PDFDocumentProxy> {
  // pdf.js needs these only for rendering. Without them it loads a native canvas or logs warnings.
  Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {}, ImageData: class {} })
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = pdfjs.getDocument({
    // Not a copy, because the file may be hundreds of megabytes. The library takes over the memory of `bytes`.
    data: new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength),
    cMapUrl: getFolder('cmaps'),
    cMapPacked: true,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  return await task.promise.catch((cause: unknown) => {
    const name = cause instanceof Error ? cause.name : ''
    throw new ExtractionError(name === 'PasswordException' ? 'encrypted' : 'damaged', { cause })
  })
}

/** Pictures are streams, whose dictionaries are readable even in encrypted files. */
function containsPictures(bytes: Buffer): boolean {
  return ['/Subtype/Image', '/Subtype /Image'].some((head) => bytes.includes(head))
}

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>

async function findPage(pdf: PDFDocumentProxy, dest: Outline[number]['dest']): Promise<number | null> {
  const target = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
  const reference: unknown = target?.[0]
  if (typeof reference === 'number') return reference + 1
  if (typeof reference !== 'object' || reference === null) return null
  return (await pdf.getPageIndex(reference as Parameters<PDFDocumentProxy['getPageIndex']>[0])) + 1
}

/** Reads the outline and skips broken entries, because the outline is only an aid. */
async function readOutline(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  async function walk(items: Outline, level: number): Promise<void> {
    for (const item of items) {
      if (entries.length >= maxOutlineEntries) return
      const page = await findPage(pdf, item.dest).catch(() => null)
      if (page !== null) entries.push({ title: item.title, page, level })
      if (level < maxOutlineDepth) await walk(item.items, level + 1)
    }
  }
  await walk((await pdf.getOutline().catch(() => null)) ?? [], 1)
  return entries
}

export interface PdfOptions {
  /** Pages to leave out. */
  unreadPages: ReadonlySet<number>
  /** Called before each page, and with null after the last one. */
  onPage: (page: number | null, pages: number) => Promise<void>
}

async function readLines(
  pdf: PDFDocumentProxy,
  hasPictures: boolean,
  { unreadPages, onPage }: PdfOptions,
): Promise<PdfLine[]> {
  const lines: PdfLine[] = []
  let characters = 0
  let blankPages = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    if (unreadPages.has(number)) continue
    await onPage(number, pdf.numPages)
    const page = await pdf.getPage(number).catch((cause: unknown) => {
      throw new ExtractionError('damaged', { cause })
    })
    const { items } = await page.getTextContent().catch((cause: unknown) => {
      throw new ExtractionError('damaged', { cause })
    })
    const found = buildLines(
      items.filter((item): item is PdfItem & typeof item => 'str' in item),
      number,
    )
    page.cleanup()
    const text = found.map((line) => line.text).join('')
    characters += text.length
    if (characters > maxCharacters) throw new ExtractionError('too_much_text')
    if ((text.match(/\p{L}/gu)?.length ?? 0) < (hasPictures ? minLettersPerPage : 1)) blankPages++
    for (const line of found) lines.push(line)
  }
  await onPage(null, pdf.numPages)
  if (blankPages > (pdf.numPages - unreadPages.size) / 2) throw new ExtractionError('no_text')
  return lines
}

function chooseLarger(one: Headings, other: Headings): Headings {
  return other.size > one.size ? other : one
}

async function findHeadings(
  pdf: PDFDocumentProxy,
  lines: readonly PdfLine[],
  body: BodyStyle,
): Promise<Headings> {
  const outline = await readOutline(pdf)
  const byOutline = findHeadingsByOutline(outline, lines)
  // Ignore an outline whose titles do not occur in the text, such as a scanner's page list.
  if (byOutline.size > 0 && byOutline.size >= outline.length / 2) return byOutline
  const bySize = findHeadingsBySize(lines, body.size)
  return bySize.size >= pdf.numPages * minHeadingsPerPage
    ? bySize
    : chooseLarger(bySize, findHeadingsByFont(lines, body))
}

export async function readPdf(bytes: Buffer, options: PdfOptions): Promise<ExtractedText> {
  const hasPictures = containsPictures(bytes)
  const pdf = await open(bytes)
  if (pdf.numPages === 0) throw new ExtractionError('no_pages')
  if (pdf.numPages > maxPages) throw new ExtractionError('too_many_pages')
  const all = composeAccents(await readLines(pdf, hasPictures, options))
  const body = measureBodyStyle(all)
  const headings = await findHeadings(pdf, all, body)
  const headersAndFooters = findHeadersAndFooters(all)
  const lines = all.filter((line) => headings.has(line) || !headersAndFooters.has(line))
  const builder = new TextBuilder()
  addLines(builder, lines, headings, body)
  return builder.finish(pdf.numPages)
}
