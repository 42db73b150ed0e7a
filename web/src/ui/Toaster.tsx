import { useEffect, useRef, useState } from 'react'
import { useStore } from '#lib/store.ts'
import { cx } from './cx.ts'
import { NotificationCard } from './NotificationCard.tsx'
import { type ToastEntry, toasts } from './toast.ts'
import { toastPlace, topToastPlace } from './toast-place.ts'

const toastLifetimeMs = 5000
const toastFadeMs = 300

const tones = { success: 'success', error: 'danger', info: 'info' } as const

function Toast({ entry, isPaused }: { entry: ToastEntry; isPaused: boolean }) {
  const [isLeaving, setIsLeaving] = useState(false)
  const remaining = useRef(toastLifetimeMs)

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
    <li className={cx('max-w-full transition-opacity duration-300', isLeaving && 'opacity-0')}>
      <NotificationCard tone={tones[entry.tone]} onDismiss={() => setIsLeaving(true)}>
        {entry.text}
      </NotificationCard>
    </li>
  )
}

interface Props {
  label?: string
  /** In a small frame, where toasts at the bottom would cover the last reply with its buttons. */
  isAtTop?: boolean
}

/** Shows the toasts. Mounted once, at the root. All timers pause while a toast is hovered or focused. */
export function Toaster({ label = 'Notifications', isAtTop = false }: Props) {
  const entries = useStore(toasts)
  const [isPaused, setIsPaused] = useState(false)
  function pause(): void {
    setIsPaused(true)
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
      <ul className="flex flex-col items-center gap-2 sm:items-end [&:not(:empty)]:mt-2">
        {shown.map((entry) => (
          <Toast key={entry.id} entry={entry} isPaused={isPaused} />
        ))}
      </ul>
    )
  }
  return (
    <section
      aria-label={label}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
      className={cx(
        isAtTop ? topToastPlace : toastPlace,
        'z-50 mx-auto max-w-sm sm:right-6 sm:left-auto sm:mx-0 sm:w-96 sm:beside-dialog:right-1/2 sm:beside-dialog:translate-x-1/2',
      )}
    >
      {/* Both regions are always mounted: screen readers announce only what is added to an existing region. */}
      <div role="status" aria-live="polite">
        {renderList(entries.filter((entry) => entry.tone !== 'error'))}
      </div>
      <div role="alert">{renderList(entries.filter((entry) => entry.tone === 'error'))}</div>
    </section>
  )
}
