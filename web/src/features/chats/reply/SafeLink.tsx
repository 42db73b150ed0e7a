import type { ReactNode } from 'react'
import { parseLinkTarget, showsDestination } from './link-target.ts'

interface SafeLinkProps {
  href: string | undefined
  /** The plain text of the link's content. */
  text?: string
  children: ReactNode
}

const noteStyle = 'font-normal text-[0.875em] text-muted'

/** An external link that shows its host. An address that must not be opened is shown as text. */
export function SafeLink({ href, text, children }: SafeLinkProps) {
  const target = parseLinkTarget(href)
  if (!target) return children
  if (target.hasUserName)
    return (
      <>
        {children}
        <span className={noteStyle}> (not a link: {target.destination} with a user name)</span>
      </>
    )
  const shown = text ?? (typeof children === 'string' ? children : '')
  return (
    <a
      href={target.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="break-words text-link underline decoration-1 underline-offset-2 hover:decoration-2"
    >
      {children}
      {!showsDestination(shown, target) && <span className={noteStyle}> ({target.destination})</span>}
    </a>
  )
}
