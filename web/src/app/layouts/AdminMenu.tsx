import { LogOut, Menu, MessagesSquare } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useLogout } from '#features/auth/use-logout.ts'
import { AttentionCount } from '#features/overview/AttentionCount.tsx'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { cx } from '#ui/cx.ts'
import { showDialogLoadError } from '#ui/dialog-loading.ts'
import { Link } from '#ui/Link.tsx'
import { useIsCurrentPage } from './BarLink.tsx'

const Drawer = lazyComponent(async () => (await import('#ui/Drawer.tsx')).Drawer)

const itemStyle =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 font-medium text-sm transition-colors hover:bg-hairline/60'

interface AreaLink {
  to: string
  label: string
  count: number
}

function MenuLink({ to, label, count, onClick }: AreaLink & { onClick: () => void }) {
  const isCurrent = useIsCurrentPage(to)
  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onClick}
      className={cx(itemStyle, isCurrent && 'bg-hairline')}
    >
      {label}
      <AttentionCount count={count} />
    </Link>
  )
}

/** On phones, a button that opens the links of the bar in a drawer. */
export function AdminMenu({ links, total }: { links: readonly AreaLink[]; total: number }) {
  const logout = useLogout()
  const [isOpen, setIsOpen] = useState(false)
  const close = useCallback(() => setIsOpen(false), [])
  const handleLoadError = useCallback(() => {
    showDialogLoadError()
    close()
  }, [close])
  const content = (
    <div className="flex flex-col gap-2 p-2">
      {links.length > 0 && (
        <nav aria-label="Administration" className="flex flex-col gap-1">
          {links.map((link) => (
            <MenuLink key={link.label} {...link} onClick={close} />
          ))}
        </nav>
      )}
      <div className="flex flex-col gap-1 border-hairline not-first:border-t not-first:pt-2">
        <Link to="/dashboard" className={itemStyle}>
          <MessagesSquare aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          Your Channels
        </Link>
        <button type="button" onClick={logout} className={itemStyle}>
          <LogOut aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          Logout
        </button>
      </div>
    </div>
  )
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        className="-ml-2 relative inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-surface-2 sm:hidden"
      >
        <Menu aria-hidden="true" className="size-5" strokeWidth={1.75} />
        <span className="sr-only">Menu</span>
        <span className="absolute top-0 left-4">
          <AttentionCount count={total} />
        </span>
      </button>
      <Drawer
        open={isOpen}
        onLoadError={handleLoadError}
        props={{ open: isOpen, onClose: close, label: 'Administration', children: content }}
      />
    </>
  )
}
