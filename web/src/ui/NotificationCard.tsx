import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { type Tone, toneIconStyles, toneIcons } from './Status.tsx'

type NotificationTone = Exclude<Tone, 'neutral'>

interface Props {
  tone: NotificationTone
  className?: string
  children: ReactNode
  onDismiss: () => void
}

/** The look of what appears above the page for a while: toasts and results. */
export function NotificationCard({ tone, className, children, onDismiss }: Props) {
  const Icon = toneIcons[tone]
  return (
    <div
      data-card
      className={cx(
        'pointer-events-auto flex w-fit max-w-full animate-appear items-start gap-3 rounded-card border border-hairline bg-raised py-3 pr-2 pl-4 text-sm shadow-float dark:border-control dark:bg-surface-2',
        className,
      )}
    >
      <Icon aria-hidden="true" className={cx('mt-px size-4.5 shrink-0', toneIconStyles[tone])} />
      <div className="min-w-0 flex-1 break-words">{children}</div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={onDismiss}
        className="-my-1.5 inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-surface-2 hover:text-ink dark:hover:bg-raised"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  )
}
