// The legacy build is 19 kB larger, but the modern one needs Map.prototype.getOrInsertComputed, which browsers of
// 2025 lack.
import {
  GlobalWorkerOptions,
  getDocument,
  type PDFPageProxy,
  TextLayer,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { findQuote, markQuote } from './find-quote.ts'
import './text-layer.css'

GlobalWorkerOptions.workerSrc = new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url).href

/** The URL of a folder with character maps, standard fonts or image decoders that PDFs may need. */
function getResourceUrl(folder: string) {
  return new URL(`/pdfjs/${folder}/`, location.origin).href
}

// Browsers refuse larger canvases or silently drop them.
const maxPixels = 16_000_000

/** The scale at which text of the usual size is readable. */
const readableScale = 1.2

/** A factor, 'width' to fit the page to the available width, or 'readable' to make it at least that large. */
export type Zoom = number | 'width' | 'readable'

interface PageRequest {
  number: number
  zoom: Zoom
  /** Available width in CSS pixels. */
  width: number
  quote: string | null
}

interface RenderedPage {
  element: HTMLElement
  scale: number
  mark: HTMLElement | null
}

export interface OpenPdf {
  pageCount: number
  /** Renders a page. Resolves with null when aborted. */
  render: (request: PageRequest, signal: AbortSignal) => Promise<RenderedPage | null>
  close: () => void
}

/** Opens a PDF for display. Its scripts never run, and it loads nothing except our own fonts and decoders. */
export async function openPdf(file: Blob): Promise<OpenPdf> {
  const task = getDocument({
    data: await file.arrayBuffer(),
    cMapUrl: getResourceUrl('cmaps'),
    standardFontDataUrl: getResourceUrl('standard_fonts'),
    wasmUrl: getResourceUrl('wasm'),
    // Our content security policy forbids WebAssembly, so use the JavaScript decoders.
    useWasm: false,
    enableXfa: false,
    // Damaged files are no fault of this page, so the console needs no warnings about them.
    verbosity: VerbosityLevel.ERRORS,
  })
  function close() {
    return void task.destroy()
  }
  try {
    const document = await task.promise
    return {
      pageCount: document.numPages,
      render: async (request, signal) => renderPage(await document.getPage(request.number), request, signal),
      close,
    }
  } catch (cause) {
    close()
    throw cause
  }
}

async function renderPage(
  page: PDFPageProxy,
  { number, zoom, width, quote }: PageRequest,
  signal: AbortSignal,
): Promise<RenderedPage | null> {
  const natural = page.getViewport({ scale: 1 })
  const fittingScale = width / natural.width
  const scale =
    zoom === 'width' ? fittingScale : zoom === 'readable' ? Math.max(fittingScale, readableScale) : zoom
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
  const pixelRatio = Math.min(
    devicePixelRatio || 1,
    Math.sqrt(maxPixels / (viewport.width * viewport.height)),
  )
  canvas.width = Math.floor(viewport.width * pixelRatio)
  canvas.height = Math.floor(viewport.height * pixelRatio)
  const layer = document.createElement('div')
  layer.className = 'pdf-text'
  element.append(canvas, layer)

  const drawing = page.render({ canvas, viewport, transform: [pixelRatio, 0, 0, pixelRatio, 0, 0] })
  const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport })
  function cancel() {
    drawing.cancel()
    text.cancel()
  }
  signal.addEventListener('abort', cancel)
  try {
    await Promise.all([drawing.promise, text.render()])
  } catch (cause) {
    if (signal.aborted) return null
    throw cause
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  if (signal.aborted) return null
  const range = quote === null ? null : findQuote(text.textContentItemsStr, quote)
  return { element, scale, mark: range && markQuote(text.textDivs, range) }
}
