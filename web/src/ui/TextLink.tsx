import type { ComponentProps } from 'react'
import { Link } from '#ui/Link.tsx'
import { cx } from './cx.ts'

/** An underlined link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={cx(
        'rounded-sm font-medium text-link underline decoration-link/35 underline-offset-4 hover:decoration-link',
        className,
      )}
    />
  )
}
