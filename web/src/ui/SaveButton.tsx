import { type ComponentProps, type MouseEvent, useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'

interface Props extends Omit<ComponentProps<typeof Button>, 'type' | 'variant' | 'title'> {
  /** Whether there is something to save. */
  isChanged: boolean
}

const unchangedText = 'Nothing to save'
const reasonLifetimeMs = 3000

/** Saves a form. While nothing is changed it only says so, also after the Enter key, and keeps the focus. */
export function SaveButton({ isChanged, onClick, className, ...rest }: Props) {
  const [pressedAt, setPressedAt] = useState<number | null>(null)
  useEffect(() => {
    if (pressedAt === null) return
    const timer = setTimeout(() => setPressedAt(null), reasonLifetimeMs)
    return () => clearTimeout(timer)
  }, [pressedAt])

  function explain(event: MouseEvent): void {
    event.preventDefault()
    setPressedAt(Date.now())
  }
  return (
    <span className={cx('relative inline-flex', className)}>
      <Button
        {...rest}
        type="submit"
        variant="primary"
        className="flex-1"
        title={isChanged ? undefined : unchangedText}
        aria-description={isChanged ? undefined : unchangedText}
        onClick={isChanged ? onClick : explain}
        aria-disabled={!isChanged || rest['aria-disabled'] === true}
      />
      {/* Touch screens show no title. Toasts are behind dialogs, and text beside the button would move it. */}
      <span
        aria-live="polite"
        className="pointer-events-none absolute bottom-full left-1/2 z-10 mb-2 -translate-x-1/2"
      >
        {!isChanged && pressedAt !== null && (
          <span className="block animate-appear whitespace-nowrap rounded-control border border-hairline bg-raised px-3 py-1.5 text-ink text-sm shadow-float">
            {unchangedText}
          </span>
        )}
      </span>
    </span>
  )
}
