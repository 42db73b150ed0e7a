import type { Permission } from '@lyceum/contract/permissions'
import {
  ChartNoAxesColumn,
  FileCheck,
  Hash,
  History,
  Lock,
  type LucideIcon,
  ScrollText,
  Settings,
  Users,
} from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { usePathExists } from '#lib/known-paths.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'

interface Area {
  to: string
  flag: Permission
  title: string
  text: string
  icon: LucideIcon
}

const areas: readonly Area[] = [
  {
    to: '/admin/users',
    flag: 'canManageUsers',
    title: 'Manage Users',
    text: 'Invite people, give them channels and rights, and set their second factor.',
    icon: Users,
  },
  {
    to: '/admin/documents',
    flag: 'canManageDocuments',
    title: 'Review Documents',
    text: 'Decide what the assistant may quote: approve, reject and reindex documents.',
    icon: FileCheck,
  },
  {
    to: '/admin/channels',
    flag: 'canManageChannels',
    title: 'Manage Channels',
    text: 'Create channels, choose their assistant and upload their documents.',
    icon: Hash,
  },
  {
    to: '/admin/chat-history',
    flag: 'canViewChatHistory',
    title: 'Chat History',
    text: 'Find, read and export chats. Every look is written to the audit log.',
    icon: History,
  },
  {
    to: '/admin/analytics',
    flag: 'canViewAnalytics',
    title: 'Analytics',
    text: 'See how much is asked and answered, and what finds no answer.',
    icon: ChartNoAxesColumn,
  },
  {
    to: '/admin/audit-log',
    flag: 'canViewAuditLog',
    title: 'Audit Log',
    text: 'See who did what and when, and take it along as a file.',
    icon: ScrollText,
  },
  {
    to: '/admin/settings',
    flag: 'canManageSettings',
    title: 'Global Configuration',
    text: 'Second factor for everyone, and the picture behind the dashboard.',
    icon: Settings,
  },
]

export function AdminHomePage() {
  const can = usePermissionCheck()
  const pathExists = usePathExists()
  const shown = areas.filter((area) => can(area.flag) && pathExists(area.to))
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
      <h1 className="font-semibold text-2xl">Administration</h1>
      {shown.length === 0 ? (
        <Card flush className="mt-5">
          <EmptyState icon={Lock} hint="A system administrator decides what administrators may do.">
            Nothing here is open to you yet.
          </EmptyState>
        </Card>
      ) : (
        <ul className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {shown.map(({ to, title, text, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex h-full gap-4 rounded-card border border-hairline bg-raised p-5 transition-colors hover:border-link"
              >
                <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-accent-soft text-link">
                  <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
                </span>
                <span className="flex flex-col gap-1">
                  <span className="font-semibold text-base leading-6">{title}</span>
                  <span className="text-muted text-sm">{text}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
