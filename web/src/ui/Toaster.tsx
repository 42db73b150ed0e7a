import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from '#lib/store.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { cx } from './cx.ts'
import { NotificationCard } from './NotificationCard.tsx'
import { type ToastEntry, toasts } from './toast.ts'
import { toastPlace } from './toast-place.ts'
import { useUncoveredFocus } from './uncover-focus.ts'

const toastLifetimeMs = 5000
const toastFadeMs = 300

const tones = { success: 'success', error: 'danger', info: 'info' } as const

interface ToastProps {
  entry: ToastEntry
  isPaused: boolean
  /** The toast is removed with the focus in it. */
  onFocusLost: () => void
}

function Toast({ entry, isPaused, onFocusLost }: ToastProps) {
  const [isLeaving, setIsLeaving] = useState(false)
  const remaining = useRef(toastLifetimeMs)
  const item = useRef<HTMLLIElement>(null)
  useLostFocus(item, onFocusLost)

  useEffect(() => {
    if (isPaused || isLeaving) return
    const startedAt = Date.now()
    const timer = setTimeout(() => setIsLeaving(true), remaining.current)
    return () => {
      clearTimeout(timer)
      remaining.current -= Date.now() - startedAt
    }
  }, [isPaused, isLeaving])

  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => toasts.remove(entry.id), toastFadeMs)
    return () => clearTimeout(timer)
  }, [isLeaving, entry.id])

  if (entry.tone === 'spoken') return <li className="sr-only">{entry.text}</li>
  return (
    <li
      ref={item}
      className={cx('mt-2 max-w-[min(100%,32rem)] transition-opacity duration-300', isLeaving && 'opacity-0')}
    >
      <NotificationCard tone={tones[entry.tone]} onDismiss={() => setIsLeaving(true)}>
        {entry.text}
      </NotificationCard>
    </li>
  )
}

/** Sets `--toasts-height`, so that a page can leave room for toasts. */
function useReservedHeight(section: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = section.current
    if (element === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.setProperty('--toasts-height', `${element.offsetHeight}px`)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--toasts-height')
    }
  }, [section])
}

/**
 * Shows the toasts above everything else, dialogs included. Mounted once, at the root. All timers pause while a toast is
 * hovered or focused.
 */
export function Toaster({ label = 'Notifications' }: { label?: string }) {
  const entries = useStore(toasts)
  const [isPaused, setIsPaused] = useState(false)
  const section = useRef<HTMLElement>(null)
  /** What had the focus before a toast got it. */
  const origin = useRef<Element>(null)
  useReservedHeight(section)
  useUncoveredFocus(section, entries.at(-1)?.id)
  function pause(): void {
    setIsPaused(true)
  }
  function handleFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
    if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget
    pause()
  }
  function returnFocus(): void {
    if (origin.current instanceof HTMLElement) origin.current.focus()
  }
  function resume(): void {
    setIsPaused(false)
  }

  // The hovered toast may be removed without a leave event.
  useEffect(() => {
    if (entries.length === 0) setIsPaused(false)
  }, [entries.length])

  function renderList(shown: readonly ToastEntry[]) {
    return (
      <ul className="flex flex-col items-center">
        {shown.map((entry) => (
          <Toast key={entry.id} entry={entry} isPaused={isPaused} onFocusLost={returnFocus} />
        ))}
      </ul>
    )
  }
  return createPortal(
    <section
      ref={section}
      aria-label={label}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={handleFocus}
      onBlur={resume}
      className={cx(toastPlace, 'z-50')}
    >
      {/* Both regions are always mounted: screen readers announce only what is added to an existing region. */}
      <div role="status" aria-live="polite">
        {renderList(entries.filter((entry) => entry.tone !== 'error'))}
      </div>
      <div role="alert">{renderList(entries.filter((entry) => entry.tone === 'error'))}</div>
    </section>,
    document.body,
  )
}
