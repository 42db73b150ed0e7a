import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

/** A surface with a hairline. Borders, not shadows, tell things apart. */
export const Card = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cx('rounded-card border border-hairline bg-raised p-5', className)} />
)
