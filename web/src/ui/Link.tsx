import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'wouter'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** History state for the target screen. */
  state?: unknown
}

/** A link to another screen of the application. */
export function Link(props: Props) {
  return <RouterLink {...props} />
}
