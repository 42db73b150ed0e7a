import { cx } from './cx.ts'

/** A placeholder of the same size as the content that is loading. Appears after a short delay. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className="animate-late">
      <div className={cx('animate-pulse rounded-control bg-surface-2', className)} />
    </div>
  )
}
