import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'wouter'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** What the screen is told beside its address. */
  state?: unknown
}

/** A link to another screen of this client. */
export function Link(props: Props) {
  return <RouterLink {...props} />
}
