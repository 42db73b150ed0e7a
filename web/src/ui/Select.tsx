import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlStyle, singleLineHeight } from './control-style.ts'
import { cx } from './cx.ts'

/** A native select, so that phones show their own picker. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx('relative block', className)}>
      <select {...rest} className={cx(controlStyle, singleLineHeight, 'appearance-none truncate pr-9')}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
