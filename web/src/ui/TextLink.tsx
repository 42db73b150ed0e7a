import type { ComponentProps } from 'react'
import { Link } from '#ui/Link.tsx'
import { cx } from './cx.ts'
import { textLinkStyle } from './text-link-style.ts'

/** An underlined link within text. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={cx(textLinkStyle, className)} />
}
