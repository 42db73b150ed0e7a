import { useQuery } from '@tanstack/react-query'
import { Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { mailDeliveryQuery } from '#features/auth/queries.ts'
import { useCan, useIsSystemAdmin } from '#features/auth/use-can.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { dashboardBackgroundQuery } from '#features/settings/background/background-query.ts'
import { DashboardBackground } from '#features/settings/background/DashboardBackground.tsx'
import { GlobalTwoFactor } from '#features/settings/GlobalTwoFactor.tsx'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { TwoFactorFields } from '#features/two-factor/TwoFactorFields.tsx'
import { userPageQuery } from '#features/users/queries.ts'
import { DraftsProvider, useDrafts } from '#lib/form-drafts.tsx'
import { formatCount } from '#lib/format-count.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { parseOneOf } from '#lib/url-values.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LeaveDialog } from '#ui/LeaveDialog.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Badge } from '#ui/Status.tsx'
import { Tabs } from '#ui/Tabs.tsx'

// Each section loads when its tab opens, because together they are larger than the rest of the page.
const ConnectionsSection = lazyComponent(
  async () => (await import('#features/settings/connections/ConnectionsSection.tsx')).ConnectionsSection,
)
const LdapSection = lazyComponent(
  async () => (await import('#features/single-sign-on/LdapSection.tsx')).LdapSection,
)
const SingleSignOnSection = lazyComponent(
  async () => (await import('#features/single-sign-on/SingleSignOnSection.tsx')).SingleSignOnSection,
)
const DirectoriesSection = lazyComponent(
  async () => (await import('#features/directories/DirectoriesSection.tsx')).DirectoriesSection,
)
const AuditStreamSection = lazyComponent(
  async () => (await import('#features/audit/stream/AuditStreamSection.tsx')).AuditStreamSection,
)
const WebhooksSection = lazyComponent(
  async () => (await import('#features/webhooks/WebhooksSection.tsx')).WebhooksSection,
)
const ConversationsSection = lazyComponent(
  async () => (await import('#features/settings/ConversationsSection.tsx')).ConversationsSection,
)
const ReadyMadeAssistants = lazyComponent(
  async () => (await import('#features/assistants/ReadyMadeAssistants.tsx')).ReadyMadeAssistants,
)
const LanguageModels = lazyComponent(
  async () => (await import('#features/assistants/LanguageModels.tsx')).LanguageModels,
)
const DefaultLimits = lazyComponent(
  async () => (await import('#features/chats/quotas/DefaultLimits.tsx')).DefaultLimits,
)
const StatusSection = lazyComponent(
  async () => (await import('#features/settings/status/StatusSection.tsx')).StatusSection,
)

function showLoadError(): void {
  banner.error('This part of the page could not be loaded. Please check your connection.')
}
const lazyProps = { open: true, onLoadError: showLoadError, props: {} } as const

const sections = [
  { value: 'general', label: 'General' },
  { value: 'connections', label: 'Connections' },
  { value: 'sign-in', label: 'Sign-in' },
  { value: 'events', label: 'Events' },
  { value: 'conversations', label: 'Conversations' },
  { value: 'assistants', label: 'Assistants' },
  { value: 'limits', label: 'Limits' },
  { value: 'state', label: 'Status' },
] as const
type Section = (typeof sections)[number]['value']

/** Nothing is shown until all of it is known: a later part would move what is below it. */
function GeneralSection() {
  const { data, error, refetch } = useQuery(globalSettingsQuery())
  const { isPending: isDeliveryPending } = useQuery(mailDeliveryQuery())
  const { isPending: isBackgroundPending } = useQuery(dashboardBackgroundQuery())
  if (error === null && (data === undefined || isDeliveryPending || isBackgroundPending)) {
    return (
      <div role="status">
        <span className="sr-only">Loading the settings…</span>
        <Skeleton className="h-80 rounded-card" />
      </div>
    )
  }
  return (
    <>
      {data === undefined ? (
        <Card flush>
          <EmptyState
            icon={Settings}
            hint={messageOf(error, '')}
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          >
            {texts.settings.loadFailed}
          </EmptyState>
        </Card>
      ) : (
        <GlobalTwoFactor settings={data} renderTwoFactorFields={(props) => <TwoFactorFields {...props} />} />
      )}
      <DashboardBackground />
    </>
  )
}

const contents: Record<Section, () => ReactNode> = {
  general: () => <GeneralSection />,
  connections: () => <ConnectionsSection {...lazyProps} />,
  'sign-in': () => (
    <>
      <SingleSignOnSection {...lazyProps} />
      <LdapSection {...lazyProps} />
      <DirectoriesSection {...lazyProps} />
    </>
  ),
  events: () => (
    <>
      <AuditStreamSection {...lazyProps} />
      <WebhooksSection {...lazyProps} />
    </>
  ),
  conversations: () => <ConversationsSection {...lazyProps} />,
  assistants: () => (
    <>
      <ReadyMadeAssistants {...lazyProps} />
      <LanguageModels {...lazyProps} />
    </>
  ),
  limits: () => <DefaultLimits {...lazyProps} />,
  state: () => <StatusSection {...lazyProps} />,
}

/** Shows how many users and channels the settings apply to. Failures to load the numbers are only logged. */
function Scope() {
  const canManageUsers = useCan('canManageUsers')
  const users = useQuery({ ...userPageQuery(1, ''), enabled: canManageUsers, meta: { quiet: true } })
  const channels = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const parts = [
    users.data && formatCount(users.data.total, 'user'),
    channels.data && formatCount(channels.data.length, 'channel'),
  ].filter(Boolean)
  return (
    <p className="mt-1 text-muted text-sm">
      These settings apply to {parts.length === 2 ? parts.join(' and ') : 'everyone'}.
    </p>
  )
}

function UnsavedLabel({ children }: { children: string }) {
  return (
    <>
      {children} <Badge>Unsaved</Badge>
    </>
  )
}

/** Sections whose every value requires `canManageSettings`. */
const managedSections: readonly Section[] = ['limits', 'state']
/** Sections with the servers and programs that Lyceum connects to. */
const systemSections: readonly Section[] = ['sign-in', 'events']

function describeUnsaved(labels: readonly string[]): string {
  // The browser's language data, which takes 20 ms to load, is needed only to list sections.
  if (labels.length === 0) return ''
  return `Your changes under ${new Intl.ListFormat('en').format(labels)} have not been saved.`
}

export function SettingsPage() {
  const [search, setSearch] = useSearchParams()
  const canManage = useCan('canManageSettings')
  const isSystemAdmin = useIsSystemAdmin()
  const shown = sections.filter(
    ({ value }) =>
      (canManage || !managedSections.includes(value)) && (isSystemAdmin || !systemSections.includes(value)),
  )
  const names = shown.map(({ value }) => value)
  const requested = search.get('section')
  // Users try the name of the tab.
  const section = parseOneOf(names, requested === 'status' ? 'state' : requested) ?? 'general'
  const drafts = useDrafts()
  const changed = shown.filter(({ value }) => drafts.isChanged(value))
  const changedElsewhere = changed.flatMap(({ value, label }) => (value === section ? [] : [label]))
  const tabs = shown.map(({ value, label }) => ({
    value,
    label: drafts.isChanged(value) ? <UnsavedLabel>{label}</UnsavedLabel> : label,
  }))
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <LeaveDialog
        isChanged={changed.length > 0}
        unsavedText={describeUnsaved(changed.map(({ label }) => label))}
      />
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-6 md:px-6 md:py-8">
        <div>
          <h1 className="font-semibold text-2xl">Global Configuration</h1>
          <Scope />
        </div>
        {!canManage && section !== 'connections' && <Banner tone="info">{texts.settings.viewOnly}</Banner>}
        <Tabs
          label="Settings"
          tabs={tabs}
          value={section}
          onChange={(next) => setSearch(next === 'general' ? {} : { section: next })}
        >
          <div className="flex min-h-80 flex-col gap-5">
            {/* On phones, the tab with the badge may be out of view. */}
            {changedElsewhere.length > 0 && (
              <p className="text-muted text-sm sm:hidden">{describeUnsaved(changedElsewhere)}</p>
            )}
            <DraftsProvider drafts={drafts} scope={section}>
              {contents[section]()}
            </DraftsProvider>
          </div>
        </Tabs>
      </div>
    </div>
  )
}
