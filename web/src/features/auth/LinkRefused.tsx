import { useEffect, useRef } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Link } from '#ui/Link.tsx'

/** Instead of the form whose link is of no use, with the way to a new one. */
export const LinkRefused = ({ children }: { children: string }) => {
  const way = useRef<HTMLAnchorElement>(null)
  useEffect(() => way.current?.focus(), [])
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="danger">{children}</Banner>
      <Link ref={way} to="/forgot-password" className={buttonStyle('primary', 'regular', 'w-full')}>
        Ask for a new link
      </Link>
    </div>
  )
}
