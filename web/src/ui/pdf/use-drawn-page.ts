import { type RefObject, useEffect, useState } from 'react'
import { log } from '#lib/log.ts'
import type { OpenPdf } from './open-pdf.ts'

interface Drawn {
  scale: number
  /** Whether the quote was found; null while nothing is known. */
  isMarked: boolean | null
  hasFailed: boolean
}

/** Draws a page into a scroller, and again whenever the page, the zoom or the room changes. */
export function useDrawnPage(
  scroller: RefObject<HTMLElement | null>,
  pdf: OpenPdf,
  page: number,
  zoom: number | 'width',
  quote: string | null,
): Drawn {
  const [room, setRoom] = useState(0)
  const [drawn, setDrawn] = useState<Drawn>({ scale: 1, isMarked: null, hasFailed: false })

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setRoom(Math.floor(entry.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  useEffect(() => {
    const element = scroller.current
    if (!element || room <= 0) return
    const stopping = new AbortController()
    element.setAttribute('aria-busy', 'true')
    pdf.draw({ number: page, zoom, room, quote }, stopping.signal).then(
      (result) => {
        if (!result || stopping.signal.aborted) return
        const isSamePage = element.dataset['page'] === String(page)
        element.dataset['page'] = String(page)
        element.replaceChildren(result.element)
        element.removeAttribute('aria-busy')
        if (result.mark) result.mark.scrollIntoView({ block: 'center', inline: 'nearest' })
        else if (!isSamePage) element.scrollTop = 0
        setDrawn({
          scale: result.scale,
          isMarked: quote === null ? null : result.mark !== null,
          hasFailed: false,
        })
      },
      (cause: unknown) => {
        if (stopping.signal.aborted) return
        log('A page of the PDF could not be drawn', cause)
        element.replaceChildren()
        element.removeAttribute('aria-busy')
        setDrawn((before) => ({ ...before, isMarked: null, hasFailed: true }))
      },
    )
    return () => stopping.abort()
  }, [scroller, pdf, page, zoom, room, quote])

  return drawn
}
