import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

interface Props extends ComponentProps<'div'> {
  /** Without padding: for tables and lists that go from edge to edge. */
  flush?: boolean
}

/** A surface with a hairline. Borders, not shadows, tell things apart. */
export function Card({ flush = false, className, ...rest }: Props) {
  return (
    <div
      {...rest}
      className={cx('rounded-card border border-hairline bg-raised', !flush && 'p-5', className)}
    />
  )
}
