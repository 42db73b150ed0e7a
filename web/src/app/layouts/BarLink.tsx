import { NavLink } from 'react-router'
import { cx } from '#ui/cx.ts'

/** A link of a top bar; the present screen's is marked. */
export const BarLink = ({ to, children }: { to: string; children: string }) => (
  <NavLink
    to={to}
    className={({ isActive }) =>
      cx(
        'inline-flex h-10 items-center whitespace-nowrap rounded-control px-3 font-medium text-sm transition-colors pointer-coarse:h-11',
        isActive ? 'bg-surface-2 text-ink' : 'text-muted hover:bg-surface-2 hover:text-ink',
      )
    }
  >
    {children}
  </NavLink>
)
