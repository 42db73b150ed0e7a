import { cx } from './cx.ts'

/** Holds the place of what is coming, in its size, after a moment. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className="animate-late">
      <div className={cx('animate-pulse rounded-control bg-surface-2', className)} />
    </div>
  )
}
