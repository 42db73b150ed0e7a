import { useEffect, useState } from 'react'
import { useStore } from '#lib/store.ts'
import { Banner } from './Banner.tsx'
import { bannerStore } from './banner.ts'
import { cx } from './cx.ts'

export const bannerLifetimeMs = 3000

/**
 * Shows the results reported through `banner`. It overlays the content, so that nothing moves when it appears, and
 * stays in view when the page is scrolled. Its timer pauses while it is hovered or focused.
 */
export function ResultBanner({ className }: { className?: string }) {
  const [host] = useState(() => Symbol('result banner'))
  const [isPaused, setIsPaused] = useState(false)
  const { entry, hosts } = useStore(bannerStore)
  const isActive = hosts.at(-1) === host
  const id = isActive ? entry?.id : undefined

  useEffect(() => bannerStore.addHost(host), [host])
  useEffect(() => {
    if (id === undefined) setIsPaused(false)
    if (id === undefined || isPaused) return
    const timer = setTimeout(bannerStore.clear, bannerLifetimeMs)
    return () => clearTimeout(timer)
  }, [id, isPaused])

  if (!isActive) return null
  return (
    <section
      aria-label="Result"
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      className={cx('sticky z-20 h-0', className)}
    >
      {/* Always mounted: screen readers announce only what is added to an existing region. */}
      <div aria-live="polite">
        {entry !== null && (
          <div className="mx-auto max-w-2xl animate-appear break-words rounded-card shadow-float">
            <Banner key={entry.id} tone={entry.tone} onDismiss={bannerStore.clear}>
              {entry.text}
            </Banner>
          </div>
        )}
      </div>
    </section>
  )
}
