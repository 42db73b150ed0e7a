// The legacy build, at 19 kB more: the other one calls Map.prototype.getOrInsertComputed, which browsers of 2025 lack.
import {
  GlobalWorkerOptions,
  getDocument,
  type PDFPageProxy,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { findQuote } from './find-quote.ts'
import { markQuote } from './mark-quote.ts'
import './text-layer.css'

GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url).href

/** Where the build puts what a document may need: character maps, standard fonts and picture decoders. */
function resources(folder: string) {
  return new URL(`/pdfjs/${folder}/`, location.origin).href
}

// Browsers refuse larger canvases or lose them silently.
const mostPixels = 16_000_000

interface PageRequest {
  number: number
  /** A factor, or 'width' to fill the room there is. */
  zoom: number | 'width'
  room: number
  quote: string | null
}

interface DrawnPage {
  element: HTMLElement
  scale: number
  mark: HTMLElement | null
}

export interface OpenPdf {
  pageCount: number
  /** Draws a page; null when it was called off. */
  draw: (request: PageRequest, signal: AbortSignal) => Promise<DrawnPage | null>
  close: () => void
}

/** Opens a PDF for showing. Nothing in it runs, and it fetches nothing but our own fonts and decoders. */
export async function openPdf(file: Blob): Promise<OpenPdf> {
  const task = getDocument({
    data: await file.arrayBuffer(),
    cMapUrl: resources('cmaps'),
    standardFontDataUrl: resources('standard_fonts'),
    wasmUrl: resources('wasm'),
    // The page's policy does not allow WebAssembly; the decoders also exist as plain script.
    useWasm: false,
    enableXfa: false,
  })
  function close() {
    return void task.destroy()
  }
  try {
    const document = await task.promise
    return {
      pageCount: document.numPages,
      draw: async (request, signal) => drawPage(await document.getPage(request.number), request, signal),
      close,
    }
  } catch (cause) {
    close()
    throw cause
  }
}

async function drawPage(
  page: PDFPageProxy,
  { number, zoom, room, quote }: PageRequest,
  signal: AbortSignal,
): Promise<DrawnPage | null> {
  const natural = page.getViewport({ scale: 1 })
  const scale = zoom === 'width' ? room / natural.width : zoom
  const viewport = page.getViewport({ scale })
  const element = document.createElement('div')
  element.className = 'pdf-page'
  element.setAttribute('role', 'group')
  element.setAttribute('aria-label', `Page ${number}`)
  element.style.width = `${Math.floor(viewport.width)}px`
  element.style.height = `${Math.floor(viewport.height)}px`
  element.style.setProperty('--total-scale-factor', String(scale))
  element.style.setProperty('--scale-round-x', '1px')
  element.style.setProperty('--scale-round-y', '1px')

  const canvas = document.createElement('canvas')
  canvas.setAttribute('aria-hidden', 'true')
  const sharpness = Math.min(
    devicePixelRatio || 1,
    Math.sqrt(mostPixels / (viewport.width * viewport.height)),
  )
  canvas.width = Math.floor(viewport.width * sharpness)
  canvas.height = Math.floor(viewport.height * sharpness)
  const layer = document.createElement('div')
  layer.className = 'pdf-text'
  element.append(canvas, layer)

  const drawing = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] })
  const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport })
  function callOff() {
    drawing.cancel()
    text.cancel()
  }
  signal.addEventListener('abort', callOff)
  try {
    await Promise.all([drawing.promise, text.render()])
  } catch (cause) {
    if (signal.aborted) return null
    throw cause
  } finally {
    signal.removeEventListener('abort', callOff)
  }
  if (signal.aborted) return null
  const range = quote === null ? null : findQuote(text.textContentItemsStr, quote)
  return { element, scale, mark: range && markQuote(text.textDivs, range) }
}
