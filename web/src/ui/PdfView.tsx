import { useEffect, useRef, useState } from 'react'
import { log } from '#lib/log.ts'
import { useObjectUrl } from '#lib/use-object-url.ts'
import { Banner } from './Banner.tsx'
import type { OpenPdf, Zoom } from './pdf/open-pdf.ts'
import { PdfToolbar } from './pdf/PdfToolbar.tsx'
import { explainFault, openFile } from './pdf/pdf-fault.ts'
import { useRenderedPage } from './pdf/use-rendered-page.ts'
import { Loading } from './Spinner.tsx'

interface Props {
  file: Blob
  /** The page to open; starts at 1. */
  page?: number | undefined
  /** A passage to highlight and scroll to on that page. */
  highlight?: { quote: string } | undefined
  /** Start with readable text, even if the page is then wider than the container. */
  isEnlarged?: boolean
  label: string
  /** What to do about a file that cannot be shown. */
  advice?: string | undefined
}

type PdfState =
  | { state: 'opening' }
  | { state: 'failed'; reason: string }
  | { state: 'open'; pdf: OpenPdf; file: Blob }

/** Shows a PDF page by page and fills its container. Loads PDF.js when the first PDF is opened. */
export function PdfView({ file, page = 1, highlight, isEnlarged = false, label, advice }: Props) {
  const [pdfState, setPdfState] = useState<PdfState>({ state: 'opening' })
  const url = useObjectUrl(pdfState.state === 'open' ? pdfState.file : null)

  useEffect(() => {
    let isCancelled = false
    let close: () => void = () => {
      isCancelled = true
    }
    setPdfState({ state: 'opening' })
    openFile(file).then(
      (opened) => {
        if (isCancelled) return opened.pdf.close()
        close = opened.pdf.close
        setPdfState({ state: 'open', ...opened })
      },
      (cause: unknown) => {
        if (isCancelled) return
        const fault = explainFault(cause)
        if (fault === null) log('Opening a PDF failed', cause)
        setPdfState({ state: 'failed', reason: fault ?? 'The PDF could not be shown.' })
      },
    )
    return () => close()
  }, [file])

  if (pdfState.state === 'opening') return <Loading label="Opening the PDF…" />
  if (pdfState.state === 'failed')
    return (
      // The frame shrinks, as there is no page.
      <div data-unreadable className="p-4">
        <Banner tone="danger">
          {pdfState.reason}
          {advice !== undefined && ` ${advice}`}
        </Banner>
      </div>
    )
  const initialPage = Math.min(Math.max(page, 1), pdfState.pdf.pageCount)
  return (
    <PdfPages
      key={`${initialPage} ${highlight?.quote}`}
      pdf={pdfState.pdf}
      initialPage={initialPage}
      quote={highlight?.quote ?? null}
      initialZoom={isEnlarged ? 'readable' : 'width'}
      label={label}
      url={url}
    />
  )
}

interface PagesProps {
  pdf: OpenPdf
  initialPage: number
  quote: string | null
  initialZoom: Zoom
  label: string
  url: string | null
}

function PdfPages({ pdf, initialPage, quote, initialZoom, label, url }: PagesProps) {
  const [page, setPage] = useState(initialPage)
  const [zoom, setZoom] = useState(initialZoom)
  const scroller = useRef<HTMLElement>(null)
  const quoteOnPage = page === initialPage ? quote : null
  const { scale, isQuoteFound, hasFailed } = useRenderedPage(scroller, pdf, page, zoom, quoteOnPage)
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PdfToolbar
        page={page}
        pageCount={pdf.pageCount}
        onPage={setPage}
        scale={scale}
        fitsWidth={zoom === 'width'}
        onZoom={setZoom}
        url={url}
      />
      {quoteOnPage !== null && isQuoteFound === false && (
        <p role="status" className="border-hairline border-b bg-warning-soft px-4 py-2 text-sm">
          The cited passage was not found on this page.
        </p>
      )}
      {hasFailed && (
        <p role="alert" className="border-hairline border-b bg-danger-soft px-4 py-2 text-sm">
          This page could not be displayed.
        </p>
      )}
      <span role="status" className="sr-only">{`Page ${page} of ${pdf.pageCount}`}</span>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll the page
        tabIndex={0}
        aria-label={label}
        className="min-h-0 flex-1 overflow-auto bg-surface-2 p-2 -outline-offset-2 [scrollbar-gutter:stable] sm:p-4"
      />
    </div>
  )
}
