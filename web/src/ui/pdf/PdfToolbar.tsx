import { ChevronLeft, ChevronRight, ExternalLink, MoveHorizontal, ZoomIn, ZoomOut } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../cx.ts'
import { IconButton } from '../IconButton.tsx'

const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

interface PdfToolbarProps {
  page: number
  pageCount: number
  onPage: (page: number) => void
  scale: number
  fitsWidth: boolean
  onZoom: (zoom: number | 'width') => void
  /** Object URL that opens the file in the browser's own viewer. */
  url: string | null
}

export function PdfToolbar({ page, pageCount, onPage, scale, fitsWidth, onZoom, url }: PdfToolbarProps) {
  const smaller = zoomSteps.findLast((step) => step < scale - 0.01)
  const larger = zoomSteps.find((step) => step > scale + 0.01)
  return (
    <div
      role="toolbar"
      aria-label="PDF"
      className="flex flex-wrap items-center justify-between gap-x-2 border-hairline border-b bg-surface px-2 py-1"
    >
      <div className="flex items-center">
        <IconButton
          icon={ChevronLeft}
          label="Previous page"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <PageField key={page} page={page} pageCount={pageCount} onPage={onPage} />
        <IconButton
          icon={ChevronRight}
          label="Next page"
          disabled={page >= pageCount}
          onClick={() => onPage(page + 1)}
        />
      </div>
      <div className="flex items-center">
        <IconButton
          icon={ZoomOut}
          label="Zoom out"
          disabled={smaller === undefined}
          onClick={() => smaller !== undefined && onZoom(smaller)}
        />
        <span className="w-11 text-center text-muted text-xs tabular-nums">{Math.round(scale * 100)}%</span>
        <IconButton
          icon={ZoomIn}
          label="Zoom in"
          disabled={larger === undefined}
          onClick={() => larger !== undefined && onZoom(larger)}
        />
        <IconButton
          icon={MoveHorizontal}
          label="Fit width"
          aria-pressed={fitsWidth}
          className={cx(fitsWidth && 'bg-accent-soft text-link')}
          onClick={() => onZoom('width')}
          tooltipAlign="end"
        />
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            aria-label="Open in a new tab"
            title="Open in a new tab"
            className="inline-flex size-10 items-center justify-center rounded-control text-muted hover:bg-surface-2 hover:text-ink pointer-coarse:size-11"
          >
            <ExternalLink aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </a>
        )}
      </div>
    </div>
  )
}

/** A page number field that applies its value on Enter or blur. */
function PageField({ page, pageCount, onPage }: Pick<PdfToolbarProps, 'page' | 'pageCount' | 'onPage'>) {
  const [typed, setTyped] = useState(String(page))
  function openPage() {
    const entered = Number.parseInt(typed, 10)
    const next = Number.isNaN(entered) ? page : Math.min(Math.max(entered, 1), pageCount)
    setTyped(String(next))
    if (next !== page) onPage(next)
  }
  return (
    <form
      className="flex items-center gap-1.5 text-muted text-sm tabular-nums"
      onSubmit={(event) => {
        event.preventDefault()
        openPage()
      }}
    >
      <input
        aria-label={`Page, of ${pageCount}`}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={openPage}
        className="h-8 w-12 rounded-control border border-control bg-page text-center text-ink text-sm tabular-nums"
      />
      <span>of {pageCount}</span>
    </form>
  )
}
