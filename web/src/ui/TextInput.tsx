import type { ComponentProps } from 'react'
import { controlStyle, lineHeight } from './control-style.ts'
import { cx } from './cx.ts'

export const TextInput = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input {...rest} className={cx(controlStyle, lineHeight, className)} />
)
