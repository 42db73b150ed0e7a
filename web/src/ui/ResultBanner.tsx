import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { useStore } from '#lib/store.ts'
import { Button } from './Button.tsx'
import { actionLifetimeMs, bannerActionId, bannerStore } from './banner.ts'
import { cx } from './cx.ts'
import { NotificationCard } from './NotificationCard.tsx'
import { toastPlace } from './toast-place.ts'
import { useUncoveredFocus } from './uncover-focus.ts'

export const bannerLifetimeMs = 3000

/** How long the result is still shown, also when a dialog takes it over. */
let remaining = { id: 0, ms: 0 }

/**
 * Shows the results reported through `banner`, in the place of toasts, above those. Nothing moves when it appears. Its timer pauses
 * while it is hovered or focused.
 */
export function ResultBanner({ isInDialog = false }: { isInDialog?: boolean }) {
  const [host] = useState(() => Symbol('result banner'))
  const [isPaused, setIsPaused] = useState(false)
  const section = useRef<HTMLElement>(null)
  /** What had the focus before the banner got it. */
  const origin = useRef<Element>(null)
  const { entry, hosts } = useStore(bannerStore)
  const isActive = hosts.at(-1) === host
  const id = isActive ? entry?.id : undefined
  const action = entry?.action
  const isShort = action === undefined && entry?.warning === undefined
  const lifetimeMs = isShort ? bannerLifetimeMs : actionLifetimeMs

  useEffect(() => bannerStore.addHost(host, isInDialog), [host, isInDialog])
  useUncoveredFocus(section, id)
  useEffect(() => {
    if (id === undefined) setIsPaused(false)
    if (id === undefined || isPaused) return
    if (remaining.id !== id) remaining = { id, ms: lifetimeMs }
    const startedAt = Date.now()
    const timer = setTimeout(bannerStore.clear, remaining.ms)
    return () => {
      clearTimeout(timer)
      remaining = { id, ms: remaining.ms - (Date.now() - startedAt) }
    }
  }, [id, isPaused, lifetimeMs])

  function close(): void {
    const hasFocus = section.current?.contains(document.activeElement) ?? false
    bannerStore.clear()
    if (!hasFocus) return
    // What is behind a dialog cannot have the focus.
    const dialog = section.current?.closest<HTMLElement>('[role="dialog"], [role="alertdialog"]')
    const targets = [action?.returnFocus(), origin.current, dialog]
    const target = targets.find((element) => element && (dialog?.contains(element) ?? true))
    if (target instanceof HTMLElement) target.focus()
  }
  function handleFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
    if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget
    setIsPaused(true)
  }

  const shown = isActive ? entry : null
  return (
    <section
      ref={section}
      // Only one landmark can have this name.
      aria-label={isActive ? 'Result' : undefined}
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={handleFocus}
      onBlur={() => setIsPaused(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || entry === null) return
        // A dialog around the banner stays open.
        event.stopPropagation()
        close()
      }}
      className={cx(
        toastPlace,
        'z-40 mb-[var(--toasts-height,0px)] beside-dialog:mt-[var(--toasts-height,0px)] beside-dialog:mb-0',
      )}
    >
      {/* Always mounted: screen readers announce only what is added to an existing region. */}
      <div aria-live="polite">
        {shown?.isHidden === true && (
          <p key={shown.id} className="sr-only">
            {shown.text}
          </p>
        )}
        {shown?.isHidden === false && (
          <div key={shown.id} role={shown.tone === 'danger' ? 'alert' : 'status'}>
            <NotificationCard
              tone={shown.warning === undefined ? shown.tone : 'warning'}
              className="mx-auto sm:max-w-lg"
              onDismiss={close}
            >
              <div className="flex items-center justify-between gap-x-4">
                <span className="min-w-0">
                  {shown.text}
                  {shown.warning !== undefined && (
                    <span className="wrap-anywhere mt-1 block">{shown.warning}</span>
                  )}
                </span>
                {action !== undefined && (
                  <Button
                    id={bannerActionId}
                    size="small"
                    className="-my-1"
                    onClick={() => {
                      close()
                      action.run()
                    }}
                  >
                    {action.label}
                  </Button>
                )}
              </div>
            </NotificationCard>
          </div>
        )}
      </div>
    </section>
  )
}
