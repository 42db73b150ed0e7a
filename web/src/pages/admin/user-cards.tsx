import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { useCan, useIsSystemAdmin } from '#features/auth/use-can.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { userQuotaQuery } from '#features/chats/quotas/queries.ts'
import { usageLabels } from '#features/chats/quotas/quota-labels.ts'
import { AccessOrigin } from '#features/groups/AccessOrigin.tsx'
import { userAccessQuery } from '#features/groups/queries.ts'
import { UserGroups } from '#features/groups/UserGroups.tsx'
import { userTwoFactorQuery } from '#features/two-factor/queries.ts'
import { PermissionSummary } from '#features/users/PermissionSummary.tsx'
import { permissionGroups } from '#features/users/permission-groups.ts'
import { UserActionButton } from '#features/users/UserActionButton.tsx'
import { type UserAction, UserActions, type Viewer } from '#features/users/UserActions.tsx'
import { formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { UserApiKeys } from './user-api-keys.tsx'
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

const chipStyle = 'wrap-anywhere inline-block rounded-control border border-hairline px-2.5 py-1 text-sm'

/** The user's channels, each with where the access comes from. */
function Channels({ userId, ids }: { userId: string; ids: readonly string[] }) {
  const { data, isPending } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const { data: access } = useQuery({ ...userAccessQuery(userId), meta: { quiet: true } })
  const canManageChannels = useCan('canManageChannels')
  if (ids.length === 0) return <p className="text-muted text-sm">This user has no channels yet.</p>
  if (isPending) return <Skeleton className="h-6" />
  // The query sorts the channels by name. The ones that the viewer cannot see are last.
  const known = data?.filter(({ _id }) => ids.includes(_id)) ?? []
  const unknown = ids.filter((id) => !known.some(({ _id }) => _id === id))
  return (
    <ul className="flex flex-wrap items-start gap-2">
      {[...known.map(({ _id }) => _id), ...unknown].map((id) => {
        const name = known.find(({ _id }) => _id === id)?.name
        const channel = access?.channels.find(({ _id }) => _id === id)
        return (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {name !== undefined && canManageChannels ? (
              <TextLink to={`/admin/channels?search=${encodeURIComponent(name)}`} className={chipStyle}>
                <bdi>{name}</bdi>
              </TextLink>
            ) : (
              <span className={chipStyle}>
                <bdi>{name ?? 'Another channel'}</bdi>
              </span>
            )}
            {channel !== undefined && <AccessOrigin channel={channel} />}
          </li>
        )
      })}
    </ul>
  )
}

/** The permissions that an administrator has from groups, in addition to those set for them. */
function PermissionsFromGroups({ userId }: { userId: string }) {
  const { data } = useQuery({ ...userAccessQuery(userId), meta: { quiet: true } })
  const given = new Set(data?.groups.flatMap(({ permissions }) => permissions))
  if (given.size === 0) return null
  const labels = permissionGroups.flatMap(({ permissions }) =>
    permissions.flatMap(([permission, label]) => (given.has(permission) ? [label] : [])),
  )
  return <p className="mt-1 text-sm">From groups: {labels.join(' · ')}</p>
}

const columnStyle = 'flex min-w-0 flex-col gap-5 *:last:grow'

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

/** Several actions of a card: buttons, or one menu on phones. */
function CardActions({ label, actions, ...shared }: CardActionsProps) {
  const isPhone = useMediaQuery(phoneQuery)
  if (isPhone)
    return (
      <div className="-my-2 -mr-2.5">
        <UserActions {...shared} label={label} only={actions} />
      </div>
    )
  return actions.map((action) => (
    <UserActionButton
      key={action}
      {...shared}
      action={action}
      {...(action === 'two-factor' && { label: 'Manage 2FA settings' })}
    />
  ))
}

/** Everything about a user, each part with the actions that change it. */
export function UserCards({ user, viewer, onAction }: Props) {
  const isViewerSystemAdmin = useIsSystemAdmin()
  const shared = { user, viewer, onAction }
  const hasPermissions = user.role === 'admin' && isViewerSystemAdmin
  const groups = (
    <Section title="Groups">
      <UserGroups userId={user._id} />
    </Section>
  )
  return (
    // The columns end together, unless the recent chats are open. The groups balance the permissions.
    <div className="grid gap-5 has-aria-expanded:items-start lg:grid-cols-2">
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
        {hasPermissions && groups}
      </div>
      <div className={columnStyle}>
        <Section title="Channels" action={<UserActionButton {...shared} action="channels" />}>
          <Channels userId={user._id} ids={user.channels} />
        </Section>
        {hasPermissions && (
          <Section
            title="Permissions"
            action={<UserActionButton {...shared} action="permissions" label="Edit permissions" />}
          >
            <PermissionSummary user={user} />
            {!user.isSystemAdmin && <PermissionsFromGroups userId={user._id} />}
          </Section>
        )}
        <UserUsage
          user={user}
          limits={<LimitFacts userId={user._id} />}
          limitsAction={<UserActionButton {...shared} action="limits" label="Change limits" />}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-5 lg:col-span-2">
        {!hasPermissions && groups}
        <UserApiKeys user={user} viewer={viewer} />
        <UserPrograms user={user} viewer={viewer} />
      </div>
    </div>
  )
}
