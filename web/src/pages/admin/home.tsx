import type { Overview } from '@lyceum/contract/overview'
import { getRefusalText, type Permission } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
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
import { useMissingPermission } from '#features/auth/missing-permission.ts'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { useCan, usePermissionCheck } from '#features/auth/use-can.ts'
import { GetStarted } from '#features/get-started/GetStarted.tsx'
import { useSetupSteps } from '#features/get-started/use-setup-steps.ts'
import { Attention } from '#features/overview/Attention.tsx'
import { AttentionCount } from '#features/overview/AttentionCount.tsx'
import { getAttentionByPath } from '#features/overview/attention-items.ts'
import { overviewQuery } from '#features/overview/queries.ts'
import { Week } from '#features/overview/Week.tsx'
import { usePathExists } from '#lib/known-paths.ts'
import { Banner } from '#ui/Banner.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Loading } from '#ui/Spinner.tsx'

interface Area {
  to: string
  permission: Permission
  title: string
  text: string
  icon: LucideIcon
}

const areas: readonly Area[] = [
  {
    to: '/admin/users',
    permission: 'canManageUsers',
    title: 'Manage Users',
    text: 'Invite users and manage their channels, permissions and two-factor settings.',
    icon: Users,
  },
  {
    to: '/admin/documents',
    permission: 'canManageDocuments',
    title: 'Review Documents',
    text: 'Decide which documents the assistant can use.',
    icon: FileCheck,
  },
  {
    to: '/admin/channels',
    permission: 'canManageChannels',
    title: 'Manage Channels',
    text: 'Create channels, choose their assistants and upload documents.',
    icon: Hash,
  },
  {
    to: '/admin/chat-history',
    permission: 'canViewChatHistory',
    title: 'Chat History',
    text: 'Search, read and export chats. All access is logged.',
    icon: History,
  },
  {
    to: '/admin/analytics',
    permission: 'canViewAnalytics',
    title: 'Analytics',
    text: 'Usage, answer quality and unanswered questions.',
    icon: ChartNoAxesColumn,
  },
  {
    to: '/admin/audit-log',
    permission: 'canViewAuditLog',
    title: 'Audit Log',
    text: 'See who did what and when, and export the log.',
    icon: ScrollText,
  },
  {
    to: '/admin/settings',
    permission: 'canManageSettings',
    title: 'Global Configuration',
    text: 'Two-factor authentication, retention, assistants, limits and system status.',
    icon: Settings,
  },
]

function Areas({ overview }: { overview: Overview | undefined }) {
  const attention = getAttentionByPath(overview)
  const can = usePermissionCheck()
  const pathExists = usePathExists()
  const shown = areas.filter((area) => can(area.permission) && pathExists(area.to))
  if (shown.length === 0)
    return (
      <Card flush>
        <EmptyState icon={Lock} hint="Ask a system administrator for permissions.">
          You don’t have access to any admin area yet.
        </EmptyState>
      </Card>
    )
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {shown.map(({ to, title, text, icon: Icon }) => (
        <li key={to}>
          <Link
            to={attention.get(to)?.to ?? to}
            className="flex h-full gap-4 rounded-card border border-hairline bg-raised p-5 transition-colors hover:border-link"
          >
            <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-accent-soft text-link">
              <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
            </span>
            <span className="flex flex-col gap-1">
              <span className="font-semibold text-base leading-6">
                {title}
                <AttentionCount count={attention.get(to)?.count ?? 0} />
              </span>
              <span className="text-muted text-sm">{text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Stays after the redirect from a page that the user may not open. */
function RefusalBanner() {
  const missing = useMissingPermission()
  if (missing === null) return null
  return (
    <Banner tone="danger" onDismiss={missing.dismiss}>
      {`${getRefusalText(missing.permission)}. Ask a system administrator.`}
    </Banner>
  )
}

export function AdminHomePage() {
  const { isLoading, steps, dismiss } = useSetupSteps(useUser()?._id)
  const canOpenArea = useCan('canAccessAdminPanel')
  const { data: overview } = useQuery({ ...overviewQuery(), enabled: canOpenArea })
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
      {/* Offers to undo what was done on another screen. */}
      <ResultBanner />
      <h1 className="font-semibold text-2xl">Administration</h1>
      <div className="mt-5 flex flex-col gap-5">
        <RefusalBanner />
        {isLoading && <Loading />}
        {!isLoading && steps.length > 0 && <GetStarted steps={steps} onDismiss={dismiss} />}
        {!isLoading && overview !== undefined && <Attention overview={overview} steps={steps} />}
        {!isLoading && overview?.week && <Week week={overview.week} />}
        {!isLoading && <Areas overview={overview} />}
      </div>
    </div>
  )
}
