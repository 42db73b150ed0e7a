import { cx } from './cx.ts'

/** A spinning ring, which does not move under reduced motion. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent align-[-2px]',
        className,
      )}
    />
  )
}

interface LoadingProps {
  label?: string
  /** Fills the window, such as while the session is restored. */
  fullPage?: boolean
}

/** A loading state that appears after a short delay. */
export function Loading({ label = 'Loading…', fullPage = false }: LoadingProps) {
  return (
    <div
      role="status"
      className={cx(
        'animate-late flex flex-col items-center justify-center gap-3 text-muted',
        fullPage ? 'min-h-dvh' : 'py-16',
      )}
    >
      <Spinner className="size-7 text-link" />
      <span className={fullPage ? 'sr-only' : 'text-sm'}>{label}</span>
    </div>
  )
}
