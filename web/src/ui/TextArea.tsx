import type { ComponentProps } from 'react'
import { controlStyle } from './control-style.ts'
import { cx } from './cx.ts'

/** Grows with its text in browsers that support `field-sizing`. */
export function TextArea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      {...rest}
      className={cx(controlStyle, 'field-sizing-content max-h-96 min-h-24 resize-y py-2', className)}
    />
  )
}
