import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

interface Props extends ComponentProps<'div'> {
  /** Without padding, for tables and lists that reach the edges. */
  flush?: boolean
}

/** A surface with a border. Cards are separated by borders, not shadows. */
export function Card({ flush = false, className, ...rest }: Props) {
  return (
    <div
      {...rest}
      className={cx('rounded-card border border-hairline bg-raised', !flush && 'p-5', className)}
    />
  )
}
