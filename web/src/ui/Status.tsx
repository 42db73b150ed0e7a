import { CircleAlert, CircleCheck, Clock, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

const styles: Record<Tone, string> = {
  neutral: 'border-hairline bg-surface-2 text-muted',
  info: 'border-link/25 bg-accent-soft text-primary-600 dark:text-primary-300',
  success: 'border-success/25 bg-success-soft text-success',
  warning: 'border-warning/30 bg-warning-soft text-warning',
  danger: 'border-danger/25 bg-danger-soft text-danger',
}

export const toneIcons: Record<Tone, LucideIcon> = {
  neutral: Clock,
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
}

/** The color of the icon of a tone, where the rest has the color of text. */
export const toneIconStyles: Record<Exclude<Tone, 'neutral'>, string> = {
  info: 'text-link',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
}

interface Props {
  tone: Tone
  /** Replaces the default icon of the tone. */
  icon?: LucideIcon
  children: ReactNode
  className?: string
}

/** A status shown by an icon, a word and a color, so that color is never the only signal. */
export function Status({ tone, icon, children, className }: Props) {
  const Icon = icon ?? toneIcons[tone]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap rounded-full border px-2 py-0.5 font-medium text-xs',
        styles[tone],
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {children}
    </span>
  )
}

/** A neutral label, such as a role or a model. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center whitespace-nowrap rounded-full border border-hairline bg-surface-2 px-2 py-0.5 font-medium text-muted text-xs">
      {children}
    </span>
  )
}
