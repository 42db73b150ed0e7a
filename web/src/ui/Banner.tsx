import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { type Tone, toneIconStyles, toneIcons } from './Status.tsx'

type BannerTone = Exclude<Tone, 'neutral'>

const styles: Record<BannerTone, string> = {
  info: 'border-link/25 bg-accent-soft',
  success: 'border-success/30 bg-success-soft',
  warning: 'border-warning/35 bg-warning-soft',
  danger: 'border-danger/30 bg-danger-soft',
}

interface Props {
  tone: BannerTone
  children: ReactNode
  onDismiss?: () => void
}

/** A message inside the page that stays until dismissed. */
export function Banner({ tone, children, onDismiss }: Props) {
  const Icon = toneIcons[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-start gap-3 rounded-card border px-4 py-3 text-sm', styles[tone])}
    >
      <Icon aria-hidden="true" className={cx('mt-px size-4.5 shrink-0', toneIconStyles[tone])} />
      <div className="min-w-0 flex-1">{children}</div>
      {onDismiss && (
        <button
          type="button"
          aria-label="Dismiss"
          onClick={onDismiss}
          className="-m-1 flex size-7 shrink-0 items-center justify-center rounded-control text-muted hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  )
}
