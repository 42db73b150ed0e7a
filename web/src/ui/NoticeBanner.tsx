import { useEffect, useState, useSyncExternalStore } from 'react'
import { Banner } from './Banner.tsx'
import { cx } from './cx.ts'
import { notices } from './notice.ts'

export const noticeLifetimeMs = 3000

/**
 * The banner for `notice`. It lies over what follows, so that nothing moves when it comes and goes, and stays in
 * sight when the screen is scrolled. The time stands still while it is pointed at or focused.
 */
export function NoticeBanner({ className }: { className?: string }) {
  const [host] = useState(() => Symbol('notice banner'))
  const [isPaused, setIsPaused] = useState(false)
  const speaker = useSyncExternalStore(notices.subscribe, notices.speaker)
  const entry = useSyncExternalStore(notices.subscribe, notices.read)
  const id = speaker === host ? entry?.id : undefined

  useEffect(() => notices.enter(host), [host])
  useEffect(() => {
    if (id === undefined) setIsPaused(false)
    if (id === undefined || isPaused) return
    const timer = setTimeout(notices.clear, noticeLifetimeMs)
    return () => clearTimeout(timer)
  }, [id, isPaused])

  if (speaker !== host) return null
  return (
    <section
      aria-label="Result"
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      className={cx('sticky z-20 h-0', className)}
    >
      {/* Here from the start: screen readers announce what is added to a region they know. */}
      <div aria-live="polite">
        {entry !== null && (
          <div className="mx-auto max-w-2xl animate-appear break-words rounded-card shadow-float">
            <Banner key={entry.id} tone={entry.tone} onDismiss={notices.clear}>
              {entry.text}
            </Banner>
          </div>
        )}
      </div>
    </section>
  )
}
