import type { ComponentProps, MouseEvent } from 'react'
import { pathOf, useHref, useLocation, useNavigate } from '#lib/router.tsx'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** What the screen is told beside its address. */
  state?: unknown
}

/** A press that belongs to the page: with a modifier, or with another button, it asks the browser for a new tab. */
const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !(metaKey || altKey || ctrlKey || shiftKey)

/** A link to another screen of this client. */
export const Link = ({ to, state, target, onClick, ...rest }: Props) => {
  const navigate = useNavigate()
  const href = useHref(to)
  const here = pathOf(useLocation())
  return (
    <a
      {...rest}
      href={href}
      target={target}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || target !== undefined || !isPlain(event)) return
        event.preventDefault()
        // Back leads to what was before, not to the same screen once more.
        navigate(to, { replace: href === here, state })
      }}
    />
  )
}
