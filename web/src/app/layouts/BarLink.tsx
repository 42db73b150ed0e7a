import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/Link.tsx'

/** Whether a link leads to the current page or to the list that the page belongs to. */
export function useIsCurrentPage(to: string): boolean {
  const [pathname] = useLocation()
  const path = to.replace(/[?#].*/, '')
  return pathname === path || pathname.startsWith(`${path}/`)
}

interface Props {
  to: string
  className?: string
  children: ReactNode
}

/** A link of the top bar, marked when it leads to the current page. */
export function BarLink({ to, className, children }: Props) {
  const isCurrent = useIsCurrentPage(to)
  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'inline-flex h-10 items-center whitespace-nowrap rounded-control px-2 font-medium text-sm transition-colors max-[22rem]:px-1 max-[22rem]:text-[0.8125rem] sm:px-3 pointer-coarse:h-11',
        isCurrent ? 'bg-surface-2 text-ink' : 'text-muted hover:bg-surface-2 hover:text-ink',
        className,
      )}
    >
      {children}
    </Link>
  )
}
