import { type RefObject, useEffect, useState } from 'react'
import { log } from '#lib/log.ts'
import type { OpenPdf, Zoom } from './open-pdf.ts'

interface RenderedPage {
  scale: number
  /** Whether the quote was found; null until the page is rendered or without a quote. */
  isQuoteFound: boolean | null
  hasFailed: boolean
}

/** Renders a page into a scroll container, and again when the page, zoom or width changes. */
export function useRenderedPage(
  scroller: RefObject<HTMLElement | null>,
  pdf: OpenPdf,
  page: number,
  zoom: Zoom,
  quote: string | null,
): RenderedPage {
  const [width, setWidth] = useState(0)
  const [rendered, setRendered] = useState<RenderedPage>({ scale: 1, isQuoteFound: null, hasFailed: false })

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  useEffect(() => {
    const element = scroller.current
    if (!element || width <= 0) return
    const controller = new AbortController()
    element.setAttribute('aria-busy', 'true')
    pdf.render({ number: page, zoom, width, quote }, controller.signal).then(
      (result) => {
        if (!result || controller.signal.aborted) return
        const isSamePage = element.dataset['page'] === String(page)
        element.dataset['page'] = String(page)
        element.replaceChildren(result.element)
        element.removeAttribute('aria-busy')
        if (result.mark) result.mark.scrollIntoView({ block: 'center', inline: 'nearest' })
        else if (!isSamePage) element.scrollTop = 0
        setRendered({
          scale: result.scale,
          isQuoteFound: quote === null ? null : result.mark !== null,
          hasFailed: false,
        })
      },
      (cause: unknown) => {
        if (controller.signal.aborted) return
        log('Rendering a PDF page failed', cause)
        element.replaceChildren()
        element.removeAttribute('aria-busy')
        setRendered((before) => ({ ...before, isQuoteFound: null, hasFailed: true }))
      },
    )
    return () => controller.abort()
  }, [scroller, pdf, page, zoom, width, quote])

  return rendered
}
