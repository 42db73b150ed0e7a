import type { Citation } from '@lyceum/contract/citations'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { locationLabel, unavailableText } from './citation.ts'

const marginPx = 8

interface CitationPopoverProps {
  id: string
  citation: Citation
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The cited passage beside its number, kept within the screen. */
export function CitationPopover({ id, citation, anchor, onClose }: CitationPopoverProps) {
  const popover = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    function place() {
      if (popover.current && anchor.current) placeBeside(popover.current, anchor.current)
    }
    if (popover.current) moveToTopLayer(popover.current)
    place()
    window.addEventListener('scroll', place, true)
    return () => window.removeEventListener('scroll', place, true)
  }, [anchor])
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Escape closes only the popover, even when the focus is elsewhere.
    event.stopPropagation()
    onClose()
  })
  useEffect(() => {
    function handle(event: KeyboardEvent): void {
      handleKey(event)
    }
    window.addEventListener('keydown', handle, true)
    return () => window.removeEventListener('keydown', handle, true)
  }, [])
  const location = locationLabel(citation)
  return (
    <span
      ref={popover}
      id={id}
      role="tooltip"
      dir="auto"
      className="fixed top-0 right-auto bottom-auto left-0 block max-h-64 w-88 max-w-[calc(100vw-16px)] overflow-y-auto rounded-card border border-hairline bg-raised p-3 text-ink text-start text-sm font-normal shadow-float"
    >
      <span className="block font-semibold break-words text-ink">{citation.title}</span>
      {location !== '' && <span className="block text-xs text-muted">{location}</span>}
      {citation.available ? (
        <span className="mt-2 block border-s-2 border-primary-400 ps-2 break-words text-ink">
          {citation.quote}
        </span>
      ) : (
        <span className="mt-2 block text-muted">{unavailableText(citation)}</span>
      )}
    </span>
  )
}

/** Moves the popover to the top layer, because the surrounding part of the reply clips it (offscreen-parts.ts). */
function moveToTopLayer(popover: HTMLElement) {
  if (!('showPopover' in popover)) return
  popover.popover = 'manual'
  popover.showPopover()
}

function placeBeside(popover: HTMLElement, anchor: HTMLElement) {
  const anchorBox = anchor.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const viewportWidth = document.documentElement.clientWidth
  const left = Math.max(
    marginPx,
    Math.min(anchorBox.left + anchorBox.width / 2 - width / 2, viewportWidth - width - marginPx),
  )
  const fitsBelow = anchorBox.bottom + height + marginPx <= document.documentElement.clientHeight
  popover.style.left = `${left}px`
  popover.style.top = `${fitsBelow ? anchorBox.bottom + 4 : Math.max(marginPx, anchorBox.top - height - 4)}px`
}
