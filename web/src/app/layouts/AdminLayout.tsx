import { attentionMaximum } from '@lyceum/contract/overview'
import type { Permission } from '@lyceum/contract/permissions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  ChartNoAxesColumn,
  FileCheck,
  Hash,
  History,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  Settings,
  Users,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useCan, usePermissionCheck } from '#features/auth/use-can.ts'
import { AttentionCount } from '#features/overview/AttentionCount.tsx'
import { getAttentionByPath } from '#features/overview/attention-items.ts'
import { overviewQuery } from '#features/overview/queries.ts'
import { usePathExists } from '#lib/known-paths.ts'
import { buttonStyle } from '#ui/button-style.ts'
import { Link } from '#ui/Link.tsx'
import { Logo } from '#ui/Logo.tsx'
import { ThemeToggle } from '#ui/ThemeToggle.tsx'
import { AdminMenu } from './AdminMenu.tsx'
import { BarLink } from './BarLink.tsx'
import { LogoutButton } from './LogoutButton.tsx'
import { Shell } from './Shell.tsx'

interface Area {
  to: string
  label: string
  icon: LucideIcon
  permission: Permission
}

const areas: readonly Area[] = [
  { to: '/admin/users', label: 'Manage Users', icon: Users, permission: 'canManageUsers' },
  { to: '/admin/groups', label: 'Groups', icon: UsersRound, permission: 'canManageUsers' },
  { to: '/admin/documents', label: 'Manage Documents', icon: FileCheck, permission: 'canManageDocuments' },
  { to: '/admin/channels', label: 'Manage Channels', icon: Hash, permission: 'canManageChannels' },
  { to: '/admin/chat-history', label: 'Chat History', icon: History, permission: 'canViewChatHistory' },
  { to: '/admin/analytics', label: 'Analytics', icon: ChartNoAxesColumn, permission: 'canViewAnalytics' },
  { to: '/admin/audit-log', label: 'Audit Log', icon: ScrollText, permission: 'canViewAuditLog' },
  { to: '/admin/settings', label: 'Settings', icon: Settings, permission: 'canManageSettings' },
]

/**
 * The row would clip an outline around a link. On tablets the links share the width, each with its label below its
 * icon, so that all of them fit.
 */
const linkStyle =
  '-outline-offset-2 ' +
  'sm:max-lg:relative sm:max-lg:h-auto sm:max-lg:min-h-14 sm:max-lg:min-w-0 sm:max-lg:max-w-32 sm:max-lg:flex-1 ' +
  'sm:max-lg:flex-col sm:max-lg:gap-1 sm:max-lg:whitespace-normal sm:max-lg:px-1 sm:max-lg:py-1.5 ' +
  'sm:max-lg:text-center sm:max-lg:text-xs sm:max-lg:leading-3.5'

/** Refetches the counts after every change, such as an approved document. */
function useFreshCounts(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      client.getMutationCache().subscribe(({ type, mutation }) => {
        if (type === 'updated' && mutation.state.status === 'success')
          void client.invalidateQueries({ queryKey: overviewQuery().queryKey })
      }),
    [client],
  )
}

function AdminBar({ title }: { title: string }) {
  const can = usePermissionCheck()
  const pathExists = usePathExists()
  const bar = useRef<HTMLElement>(null)
  const [pathname] = useLocation()
  useFreshCounts()
  const { data: overview } = useQuery({ ...overviewQuery(), enabled: useCan('canAccessAdminPanel') })
  const attention = getAttentionByPath(overview)
  const shown = areas
    .filter(({ to, permission }) => can(permission) && pathExists(to))
    .map(({ to, label, icon }) => ({ path: to, label, icon, ...(attention.get(to) ?? { to, count: 0 }) }))
  const total = shown.reduce((sum, { count }) => Math.min(attentionMaximum, sum + count), 0)

  const currentIndex = shown.findIndex(({ path }) => pathname.startsWith(path))

  // With a large font the row of links scrolls, so the current page's link may be outside it. The counts make links wider.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the widths depend on the counts
  useEffect(() => {
    const link = bar.current?.children[currentIndex]
    if (link instanceof HTMLElement)
      bar.current?.scrollTo?.({ left: link.offsetLeft - (bar.current.clientWidth - link.offsetWidth) / 2 })
  }, [currentIndex, overview])

  return (
    <header className="sticky top-0 z-30 border-hairline border-b bg-page">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-2 px-3 sm:px-4 md:px-6">
        <AdminMenu links={shown} total={total} />
        <Link to="/admin" className="flex h-14 min-w-0 flex-1 basis-0 items-center gap-2.5 rounded-control">
          <Logo compact className="shrink-0 [&>span]:sr-only" />
          <span className="min-w-0 truncate font-semibold text-sm max-sm:tracking-tight sm:text-base">
            {title}
          </span>
        </Link>
        <div className="flex items-center sm:gap-1">
          <Link to="/dashboard" className={buttonStyle('ghost', 'regular', 'max-sm:hidden')}>
            <MessagesSquare aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
            Your Channels
          </Link>
          <ThemeToggle />
          <div className="max-sm:hidden">
            <LogoutButton />
          </div>
        </div>
        {shown.length > 0 && (
          <nav
            ref={bar}
            aria-label="Administration"
            // The text of the first link, after its padding, is below the logo.
            className="fading-edges -mx-4 flex grow basis-full gap-1 overflow-x-auto px-1 pb-2 max-lg:-mx-2.5 max-lg:gap-0 max-lg:pb-1.5 max-sm:hidden"
          >
            {shown.map(({ path, to, label, icon: Icon, count }) => (
              <BarLink key={path} to={to} className={linkStyle}>
                <Icon aria-hidden="true" className="size-4.5 shrink-0 lg:hidden" strokeWidth={1.75} />
                <span>{label}</span>
                <span className="sm:max-lg:absolute sm:max-lg:top-0 sm:max-lg:left-1/2">
                  <AttentionCount count={count} />
                </span>
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
  return (
    <Shell header={<AdminBar title={title} />}>
      {children}
      {/* Room for a result below the last row, so that its buttons can be scrolled clear. */}
      <div className="h-20 shrink-0 sm:h-14 sm:beside-full-window:hidden print:hidden" />
    </Shell>
  )
}
