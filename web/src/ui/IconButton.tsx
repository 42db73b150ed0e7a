import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

interface Props extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** Accessible name, also shown as the tooltip. */
  label: string
  /** A shorter tooltip, where the name repeats what the row already shows. */
  tip?: string
  icon: LucideIcon
  tone?: 'plain' | 'danger'
  size?: 'regular' | 'small'
  /** Alignment of the tooltip. Use 'end' at the end of a row, so that it stays inside the window. */
  tooltipAlign?: 'center' | 'end'
}

/** An icon button with a tooltip in pure CSS, which needs no positioning code. */
export function IconButton({
  label,
  tip = label,
  icon: Icon,
  tone = 'plain',
  size = 'regular',
  tooltipAlign = 'center',
  className,
  onClick,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      // When the dialog that the button opened returns the focus, its tooltip must not reappear.
      onClick={(event) => {
        event.currentTarget.toggleAttribute('data-used', true)
        onClick?.(event)
      }}
      onKeyUp={(event) => event.key === 'Tab' && event.currentTarget.toggleAttribute('data-used', false)}
      aria-label={label}
      className={cx(
        'group/tip relative inline-flex shrink-0 items-center justify-center rounded-control transition-colors',
        'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 pointer-coarse:size-11',
        size === 'small' ? 'size-8' : 'size-10',
        tone === 'danger'
          ? 'text-muted enabled:hover:bg-danger-soft enabled:hover:text-danger'
          : 'text-muted enabled:hover:bg-surface-2 enabled:hover:text-ink',
        className,
      )}
    >
      <Icon aria-hidden="true" className={size === 'small' ? 'size-4' : 'size-5'} strokeWidth={1.75} />
      <span
        aria-hidden="true"
        className={cx(
          'pointer-events-none absolute top-full z-20 mt-1 hidden w-max max-w-64 rounded-control bg-ink px-2 py-1 text-page text-xs',
          'group-hover/tip:block group-[:focus-visible:not([data-used])]/tip:block pointer-coarse:group-hover/tip:hidden',
          // The menu that the button opened would not cover the whole tooltip.
          'group-aria-expanded/tip:hidden!',
          tooltipAlign === 'end' ? 'right-0' : 'left-1/2 -translate-x-1/2',
        )}
      >
        {tip}
      </span>
    </button>
  )
}
