import type { ComponentProps } from 'react'
import { controlStyle, singleLineHeight } from './control-style.ts'
import { cx } from './cx.ts'

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cx(controlStyle, singleLineHeight, className)} />
}
