import { cx } from './cx.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'regular' | 'small'

const base =
  'inline-flex select-none items-center justify-center gap-2 rounded-control font-medium text-sm ' +
  'transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed ' +
  'aria-disabled:opacity-55 aria-disabled:focus-visible:opacity-80 pointer-coarse:min-h-11'

const variants: Record<ButtonVariant, string> = {
  primary:
    'bg-primary-500 text-white enabled:hover:bg-primary-600 enabled:active:bg-primary-700 [a&]:hover:bg-primary-600',
  secondary:
    'border border-control/50 bg-raised text-ink enabled:hover:border-control enabled:hover:bg-surface-2 [a&]:hover:bg-surface-2 ' +
    'dark:enabled:hover:bg-hairline',
  ghost: 'text-ink enabled:hover:bg-surface-2 enabled:active:bg-hairline [a&]:hover:bg-surface-2',
  danger: 'bg-red-700 text-white enabled:hover:bg-red-800 enabled:active:bg-red-900',
}

const sizes: Record<ButtonSize, string> = {
  regular: 'min-h-10 px-4 py-2',
  small: 'min-h-8 px-3 py-1',
}

/** Classes of a button, for buttons and for links that look like one. */
export function buttonStyle(
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'regular',
  className?: string,
): string {
  return cx(base, variants[variant], sizes[size], className)
}
