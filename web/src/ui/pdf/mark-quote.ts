import type { QuoteRange } from './find-quote.ts'

/** Wraps a stretch of a page's text elements in marks and returns the first of them. */
export function markQuote(elements: readonly HTMLElement[], { from, to }: QuoteRange): HTMLElement | null {
  let first: HTMLElement | null = null
  for (let piece = from.piece; piece <= to.piece; piece += 1) {
    const element = elements[piece]
    const text = element?.textContent ?? ''
    const start = piece === from.piece ? from.offset : 0
    const end = piece === to.piece ? to.offset : text.length
    if (!element || text.slice(start, end).trim() === '') continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(start, end)
    element.replaceChildren(text.slice(0, start), mark, text.slice(end))
    first ??= mark
  }
  return first
}
