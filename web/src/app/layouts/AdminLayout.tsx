import type { Permission } from '@lyceum/contract/permissions'
import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useRights } from '#features/auth/use-can.ts'
import { usePathExists } from '#lib/known-paths.ts'
import { buttonStyle } from '#ui/button-style.ts'
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
  { to: '/admin/settings', label: 'Settings', flag: 'canManageSettings' },
]

const AdminBar = ({ title }: { title: string }) => {
  const can = useRights()
  const pathExists = usePathExists()
  const shown = areas.filter(({ to, flag }) => can(flag) && pathExists(to))
  return (
    <header className="sticky top-0 z-30 border-hairline border-b bg-page">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 px-4 md:px-6">
        <Link to="/admin" className="flex h-14 min-w-0 items-center gap-3 rounded-control">
          <Logo compact className="shrink-0 [&>span]:sr-only" />
          <span className="truncate font-semibold text-base">{title}</span>
        </Link>
        <div className="ml-auto flex items-center sm:gap-1 xl:order-last xl:ml-0">
          <Link to="/dashboard" className={buttonStyle('ghost', 'regular', 'max-sm:px-2.5')}>
            <MessagesSquare aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            <span className="max-sm:sr-only">Your Channels</span>
          </Link>
          <ThemeToggle />
          <LogoutButton />
        </div>
        {shown.length > 0 && (
          <nav
            aria-label="Administration"
            className="-mx-1 flex w-full gap-1 overflow-x-auto px-1 pb-2 xl:ml-auto xl:w-auto xl:pb-0"
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

export const AdminLayout = ({ title = 'Administrator Dashboard', children }: Props) => (
  <Shell header={<AdminBar title={title} />}>{children}</Shell>
)
