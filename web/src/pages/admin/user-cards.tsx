import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { userQuotaQuery } from '#features/chats/quotas/queries.ts'
import { usageLabels } from '#features/chats/quotas/quota-labels.ts'
import { userTwoFactorQuery } from '#features/two-factor/queries.ts'
import { UserActionButton } from '#features/users/UserActionButton.tsx'
import { type UserAction, UserActions, type Viewer } from '#features/users/UserActions.tsx'
import { formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UserApiKeys } from './user-api-keys.tsx'
import { UserChannels } from './user-channels.tsx'
import { UserGroupsSection } from './user-groups.tsx'
import { UserPermissions } from './user-permissions.tsx'
import { UserPrograms } from './user-programs.tsx'
import { Fact, Facts, Section } from './user-section.tsx'
import { UserSignIn } from './user-sign-in.tsx'
import { UserUsage } from './user-usage.tsx'

function AccountFacts({ user }: { user: UserDetail }) {
  const { email, createdAt, directoryName } = user
  return (
    <Facts>
      <Fact label="Email" className="max-sm:col-span-full">
        {email}
      </Fact>
      <Fact label="Joined" className="max-sm:col-span-full">
        {formatDateTime(createdAt)}
      </Fact>
      {directoryName !== undefined && <Fact label="Managed by directory">{directoryName}</Fact>}
    </Facts>
  )
}

/** When the user signed in, whether that needs a code, and whose setting decides it. */
function SignInFacts({ user }: { user: UserDetail }) {
  const { lastSignInAt, sessionCount, twoFactorEnabled } = user
  const { data } = useQuery({ ...userTwoFactorQuery(user._id), meta: { quiet: true } })
  const isOn = data?.twoFactorExpiryEnabled ?? twoFactorEnabled
  const source = data && (data.isOverride ? 'set for this user' : 'global setting')
  return (
    <>
      <Fact label="Last sign-in">{lastSignInAt === null ? 'Never' : formatDateTime(lastSignInAt)}</Fact>
      <Fact label="Open sessions">{sessionCount.toLocaleString()}</Fact>
      <Fact label="Code at sign-in">{[isOn ? 'On' : 'Off', source].filter(Boolean).join(', ')}</Fact>
      {isOn && data && (
        <Fact label="Browsers stay trusted for">{formatCount(data.twoFactorExpiryDays, 'day')}</Fact>
      )}
    </>
  )
}

function withLimit(usage: string, limit: number | null): string {
  return limit === null ? `${usage}, no limit` : usage
}

function LimitFacts({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery({ ...userQuotaQuery(userId), meta: { quiet: true } })
  if (data === undefined && error === null) return <Skeleton className="h-10" />
  if (data === undefined)
    return (
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-danger">{messageOf(error, texts.quotas.loadFailed)}</p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  const quota = data.own ?? data.everybody
  const usage = usageLabels(quota, data.used)
  return (
    <Facts>
      <Fact label="Messages">{withLimit(usage.messagesPerDay, quota.messagesPerDay)}</Fact>
      <Fact label="Tokens">{withLimit(usage.tokensPerMonth, quota.tokensPerMonth)}</Fact>
      <Fact label="Limits in use">{data.own === null ? 'Default' : 'Set for this user'}</Fact>
    </Facts>
  )
}

const columnStyle = 'flex min-w-0 flex-col gap-5'

interface Props {
  user: UserDetail
  viewer: Viewer
  onAction: (action: UserAction) => void
}

interface CardActionsProps extends Props {
  /** The name of the menu. */
  label: string
  actions: readonly UserAction[]
}

/** Where several buttons have no room beside the heading: on phones, and in columns below `xl`. */
const narrowCardQuery = `${phoneQuery}, (min-width: 64rem) and (max-width: 79.99rem)`

/** Shorter than in the menu, or clearer beside the other buttons. */
function findButtonLabel(action: UserAction, { role }: UserDetail): string | undefined {
  if (action === 'two-factor') return 'Manage 2FA settings'
  return action === 'role' && role === 'admin' ? 'Remove as administrator' : undefined
}

/** Several actions of a card: buttons, or one menu in narrow cards. */
function CardActions({ label, actions, ...shared }: CardActionsProps) {
  const isNarrow = useMediaQuery(narrowCardQuery)
  if (isNarrow)
    return (
      <div className="-my-2 -mr-2.5">
        <UserActions {...shared} label={label} only={actions} />
      </div>
    )
  return actions.map((action) => (
    <UserActionButton key={action} {...shared} action={action} label={findButtonLabel(action, shared.user)} />
  ))
}

/** Everything about a user, each part with the actions that change it. */
export function UserCards({ user, viewer, onAction }: Props) {
  const isViewerSystemAdmin = useIsSystemAdmin()
  const shared = { user, viewer, onAction }
  const hasPermissions = user.role === 'admin' && isViewerSystemAdmin
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className={columnStyle}>
        <Section
          title="Account"
          action={
            <CardActions
              {...shared}
              label="Actions for the account"
              actions={[
                'rename',
                'role',
                ...(user.deactivatedAt === undefined ? ['activation' as const] : []),
              ]}
            />
          }
        >
          <AccountFacts user={user} />
        </Section>
        <UserSignIn
          user={user}
          viewer={viewer}
          facts={<SignInFacts user={user} />}
          action={
            <CardActions {...shared} label="Actions for signing in" actions={['two-factor', 'sign-out']} />
          }
        />
        <UserGroupsSection user={user} />
      </div>
      <div className={columnStyle}>
        <Section title="Channels" action={<UserActionButton {...shared} action="channels" />}>
          <UserChannels userId={user._id} ids={user.channels} />
        </Section>
        {hasPermissions && (
          <Section
            title="Permissions"
            action={<UserActionButton {...shared} action="permissions" label="Edit permissions" />}
          >
            <UserPermissions user={user} />
          </Section>
        )}
        <UserUsage
          user={user}
          limits={<LimitFacts userId={user._id} />}
          limitsAction={<UserActionButton {...shared} action="limits" label="Change limits" />}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-5 lg:col-span-2">
        <UserApiKeys user={user} viewer={viewer} />
        <UserPrograms user={user} viewer={viewer} />
      </div>
    </div>
  )
}
