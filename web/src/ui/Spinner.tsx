import { cx } from './cx.ts'

/** A ring that turns; under reduced motion it stands still and its words remain. */
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
  /** Fills the window, as while the session is restored. */
  fullPage?: boolean
}

/** Says that something is on its way. Appears only when that takes more than a moment. */
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
