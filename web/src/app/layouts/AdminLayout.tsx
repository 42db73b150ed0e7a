import type { Permission } from '@lyceum/contract/permissions'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { usePathExists } from '#lib/known-paths.ts'
import { buttonStyle } from '#ui/button-style.ts'
import { Link } from '#ui/Link.tsx'
import { Logo } from '#ui/Logo.tsx'
import { ThemeToggle } from '#ui/ThemeToggle.tsx'
import { BarLink } from './BarLink.tsx'
import { LogoutButton } from './LogoutButton.tsx'
import { Shell } from './Shell.tsx'

const areas: readonly { to: string; label: string; flag: Permission }[] = [
  { to: '/admin/users', label: 'Manage Users', flag: 'canManageUsers' },
  { to: '/admin/documents', label: 'Manage Documents', flag: 'canManageDocuments' },
  { to: '/admin/channels', label: 'Manage Channels', flag: 'canManageChannels' },
  { to: '/admin/chat-history', label: 'Chat History', flag: 'canViewChatHistory' },
  { to: '/admin/analytics', label: 'Analytics', flag: 'canViewAnalytics' },
  { to: '/admin/audit-log', label: 'Audit Log', flag: 'canViewAuditLog' },
  { to: '/admin/settings', label: 'Settings', flag: 'canManageSettings' },
]

function AdminBar({ title }: { title: string }) {
  const can = usePermissionCheck()
  const pathExists = usePathExists()
  const bar = useRef<HTMLElement>(null)
  const [pathname] = useLocation()
  const shown = areas.filter(({ to, flag }) => can(flag) && pathExists(to))

  const present = shown.findIndex(({ to }) => pathname.startsWith(to))

  // On a phone the row scrolls: scroll the current page's link into view.
  useEffect(() => {
    const link = bar.current?.children[present]
    if (link instanceof HTMLElement) bar.current?.scrollTo?.({ left: link.offsetLeft - 48 })
  }, [present])

  return (
    <header className="sticky top-0 z-30 border-hairline border-b bg-page">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-2 px-3 sm:px-4 md:px-6">
        <Link to="/admin" className="flex h-14 min-w-0 flex-1 basis-0 items-center gap-2.5 rounded-control">
          <Logo compact className="shrink-0 [&>span]:sr-only" />
          <span className="line-clamp-2 min-w-0 font-semibold text-sm leading-4.5 sm:line-clamp-1 sm:text-base">
            {title}
          </span>
        </Link>
        <div className="flex items-center sm:gap-1">
          <Link to="/dashboard" className={buttonStyle('ghost', 'regular', 'max-sm:px-2.5')}>
            <MessagesSquare aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            <span className="max-sm:sr-only">Your Channels</span>
          </Link>
          <ThemeToggle />
          <LogoutButton />
        </div>
        {shown.length > 0 && (
          <nav
            ref={bar}
            aria-label="Administration"
            className="-mx-1 flex w-full overflow-x-auto px-1 pb-2 sm:gap-1"
          >
            {shown.map(({ to, label }) => (
              <BarLink key={to} to={to}>
                {label}
              </BarLink>
            ))}
          </nav>
        )}
      </div>
    </header>
  )
}

interface Props {
  title?: string
  children: ReactNode
}

export function AdminLayout({ title = 'Administrator Dashboard', children }: Props) {
  return <Shell header={<AdminBar title={title} />}>{children}</Shell>
}
