import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { composeAccents } from './pdf-accents.ts'
import { addLines } from './pdf-blocks.ts'
import { furnitureOf } from './pdf-furniture.ts'
import type { Headings, OutlineEntry } from './pdf-headings.ts'
import { headingsByFont, headingsByOutline, headingsBySize } from './pdf-headings.ts'
import type { Body, PdfItem, PdfLine } from './pdf-lines.ts'
import { bodyOf, linesOf } from './pdf-lines.ts'
import type { ExtractedText } from './port.ts'
import { ExtractionError } from './port.ts'
import { TextBuilder } from './text-builder.ts'

const maxPages = 5000
const maxCharacters = 5 * 1024 * 1024
const leastLettersPerPage = 20
const leastHeadingsPerPage = 0.2
const maxOutline = 5000
const maxOutlineDepth = 6

function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))
}

async function open(bytes: Buffer): Promise<PDFDocumentProxy> {
  // Only painting needs these; without them pdf.js loads a native canvas or complains.
  Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {}, ImageData: class {} })
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: folderOf('cmaps'),
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

/** Pictures are streams, whose heads stand in the file as they are, even in one with a password. */
function holdsPictures(bytes: Buffer): boolean {
  return ['/Subtype/Image', '/Subtype /Image'].some((head) => bytes.includes(head))
}

type Outline = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>

async function pageOf(pdf: PDFDocumentProxy, dest: Outline[number]['dest']): Promise<number | null> {
  const target = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
  const reference: unknown = target?.[0]
  if (typeof reference === 'number') return reference + 1
  if (typeof reference !== 'object' || reference === null) return null
  return (await pdf.getPageIndex(reference as Parameters<PDFDocumentProxy['getPageIndex']>[0])) + 1
}

/** The outline is a help, not the text: a broken entry is left out. */
async function outlineOf(pdf: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  async function walk(items: Outline, level: number): Promise<void> {
    for (const item of items) {
      if (entries.length >= maxOutline) return
      const page = await pageOf(pdf, item.dest).catch(() => null)
      if (page !== null) entries.push({ title: item.title, page, level })
      if (level < maxOutlineDepth) await walk(item.items, level + 1)
    }
  }
  await walk((await pdf.getOutline().catch(() => null)) ?? [], 1)
  return entries
}

async function readLines(
  pdf: PDFDocumentProxy,
  hasPictures: boolean,
  onProgress: (percent: number) => void,
): Promise<PdfLine[]> {
  const lines: PdfLine[] = []
  let characters = 0
  let blankPages = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number).catch((cause: unknown) => {
      throw new ExtractionError('damaged', { cause })
    })
    const { items } = await page.getTextContent().catch((cause: unknown) => {
      throw new ExtractionError('damaged', { cause })
    })
    const found = linesOf(
      items.filter((item): item is PdfItem & typeof item => 'str' in item),
      number,
    )
    page.cleanup()
    const text = found.map((line) => line.text).join('')
    characters += text.length
    if (characters > maxCharacters) throw new ExtractionError('too_much_text')
    if ((text.match(/\p{L}/gu)?.length ?? 0) < (hasPictures ? leastLettersPerPage : 1)) blankPages++
    for (const line of found) lines.push(line)
    onProgress((number / pdf.numPages) * 100)
  }
  if (blankPages > pdf.numPages / 2) throw new ExtractionError('no_text')
  return lines
}

function fuller(one: Headings, other: Headings): Headings {
  return other.size > one.size ? other : one
}

async function headingsOf(pdf: PDFDocumentProxy, lines: readonly PdfLine[], body: Body): Promise<Headings> {
  const outline = await outlineOf(pdf)
  const byOutline = headingsByOutline(outline, lines)
  // An outline whose titles are not in the print, as a scanner's page list, says nothing about the text.
  if (byOutline.size > 0 && byOutline.size >= outline.length / 2) return byOutline
  const bySize = headingsBySize(lines, body.size)
  return bySize.size >= pdf.numPages * leastHeadingsPerPage
    ? bySize
    : fuller(bySize, headingsByFont(lines, body))
}

export async function readPdf(bytes: Buffer, onProgress: (percent: number) => void): Promise<ExtractedText> {
  const pdf = await open(bytes)
  if (pdf.numPages === 0) throw new ExtractionError('no_pages')
  if (pdf.numPages > maxPages) throw new ExtractionError('too_many_pages')
  const all = composeAccents(await readLines(pdf, holdsPictures(bytes), onProgress))
  const body = bodyOf(all)
  const headings = await headingsOf(pdf, all, body)
  const furniture = furnitureOf(all)
  const lines = all.filter((line) => headings.has(line) || !furniture.has(line))
  const builder = new TextBuilder()
  addLines(builder, lines, headings, body)
  return builder.finish(pdf.numPages)
}
