import type { Citation } from '@lyceum/contract/citations'
import { type PointerEvent, use, useId, useRef, useState } from 'react'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { CitationsContext, citationLabel } from './citation.ts'
import { SafeLink } from './SafeLink.tsx'

// Loaded by the first citation that the pointer or the focus reaches.
const CitationPopover = lazyComponent(async () => (await import('./CitationPopover.tsx')).CitationPopover)

// Long enough to move the pointer from the number to the popover.
const leaveDelayMs = 150

/** `[n]` in a reply: a button when the source exists, otherwise plain text. */
export function CitationMark({ number, href }: { number: number; href: string | undefined }) {
  const { byNumber, open } = use(CitationsContext)
  const [isShown, setIsShown] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isOpened = useRef(false)
  const pressedAt = useRef({ x: Number.NaN, y: Number.NaN })
  const hideTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const citation = byNumber.get(number)
  if (!citation) return href ? <SafeLink href={href}>{`[${number}]`}</SafeLink> : `[${number}]`

  function show() {
    clearTimeout(hideTimer.current)
    setIsShown(true)
  }
  function hide() {
    clearTimeout(hideTimer.current)
    setIsShown(false)
  }
  function handlePointerEnter({ clientX: x, clientY: y }: PointerEvent) {
    // A closed source uncovers the number again. The pointer has not moved since it opened the source.
    if (x !== pressedAt.current.x || y !== pressedAt.current.y) show()
  }
  function handleFocus() {
    // Not when the source was closed and returns the focus.
    if (!isOpened.current) show()
    isOpened.current = false
  }
  function hideSoon() {
    clearTimeout(hideTimer.current)
    hideTimer.current = setTimeout(hide, leaveDelayMs)
  }
  function openCitation(citation: Citation) {
    if (!citation.available) return show()
    hide()
    isOpened.current = true
    open?.(citation)
  }
  return (
    <span onPointerEnter={handlePointerEnter} onPointerLeave={hideSoon}>
      <button
        ref={button}
        type="button"
        translate="no"
        aria-label={citationLabel(citation)}
        aria-describedby={isShown ? id : undefined}
        aria-disabled={!citation.available}
        onFocus={handleFocus}
        onBlur={hide}
        onPointerUp={({ clientX: x, clientY: y }) => {
          pressedAt.current = { x, y }
        }}
        onClick={() => openCitation(citation)}
        className={`mx-0.5 inline-flex h-6 min-w-6 items-center justify-center rounded-control px-1 align-[0.05em] text-xs font-semibold tabular-nums transition-colors ${
          citation.available
            ? 'bg-primary-100 text-primary-700 hover:bg-primary-200 dark:bg-primary-900 dark:text-primary-200 dark:hover:bg-primary-800'
            : 'bg-surface-2 text-muted line-through'
        }`}
      >
        {number}
      </button>
      {isShown && (
        <CitationPopover open onLoadError={hide} props={{ id, citation, anchor: button, onClose: hide }} />
      )}
    </span>
  )
}
