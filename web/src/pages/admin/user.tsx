import type { UserDetail } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, TriangleAlert, UserX } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { useCan, useIsSystemAdmin } from '#features/auth/use-can.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { userTwoFactorQuery } from '#features/two-factor/queries.ts'
import { PermissionSummary } from '#features/users/PermissionSummary.tsx'
import { userQuery } from '#features/users/queries.ts'
import { type UserAction, UserActions } from '#features/users/UserActions.tsx'
import { UserRole } from '#features/users/UserTable.tsx'
import { formatDateTime } from '#lib/date-time.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/admin.ts'
import { product } from '#theme/product.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import type { OpenUserDialog } from './user-dialogs.tsx'

const UserDialogs = lazyComponent(async () => (await import('./user-dialogs.tsx')).UserDialogs)

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <TextLink to="/admin/users" className="inline-flex items-center gap-1.5 self-start text-sm">
          <ArrowLeft aria-hidden="true" className="size-4" />
          Back to the list
        </TextLink>
        {children}
      </div>
    </div>
  )
}

function LoadState({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error === null)
    return (
      <div role="status" className="flex flex-col gap-5">
        <span className="sr-only">Loading the user…</span>
        <Skeleton className="h-14 w-72 max-w-full" />
        <Skeleton className="h-48" />
      </div>
    )
  return (
    <Card flush>
      {isNotFound(error) ? (
        <EmptyState icon={UserX} hint="The user may have been deleted, or the link is incomplete.">
          User not found.
        </EmptyState>
      ) : (
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={retry}>Try again</Button>}
        >
          {texts.users.loadOneFailed}
        </EmptyState>
      )}
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="wrap-anywhere mt-0.5 text-sm">{children}</dd>
    </div>
  )
}

interface SectionProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

function Section({ title, action, children }: SectionProps) {
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-lg">{title}</h2>
        {action}
      </div>
      <div className="mt-4">{children}</div>
    </Card>
  )
}

function Channels({ ids }: { ids: readonly string[] }) {
  const { data, isPending } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  if (ids.length === 0) return <p className="text-muted text-sm">This user has no channels yet.</p>
  if (isPending) return <Skeleton className="h-6" />
  return (
    <ul className="flex flex-wrap gap-2">
      {ids.map((id) => (
        <li
          key={id}
          className="wrap-anywhere rounded-control border border-hairline bg-surface-2 px-2.5 py-1 text-sm"
        >
          <bdi>{data?.find(({ _id }) => _id === id)?.name ?? 'Another channel'}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Says whether signing in needs a code, and whose setting decides it. */
function TwoFactorState({ user }: { user: UserDetail }) {
  const { data } = useQuery({ ...userTwoFactorQuery(user._id), meta: { quiet: true } })
  const isOn = data?.twoFactorExpiryEnabled ?? user.twoFactorEnabled
  const source = data && (data.isOverride ? 'set for this user' : 'global setting')
  return [isOn ? 'On' : 'Off', source].filter(Boolean).join(', ')
}

interface DetailsProps {
  user: UserDetail
  onAction: (action: UserAction) => void
}

function Details({ user, onAction }: DetailsProps) {
  const canViewChats = useCan('canViewChatHistory')
  const isViewerSystemAdmin = useIsSystemAdmin()
  const { lastSignInAt, createdAt, sessionCount, chatCount, documentCount } = user
  return (
    <>
      <Section title="Account">
        <dl className="grid gap-4 sm:grid-cols-2 md:grid-cols-3">
          <Fact label="Email">{user.email}</Fact>
          <Fact label="Joined">{formatDateTime(createdAt)}</Fact>
          <Fact label="Last sign-in">{lastSignInAt === null ? 'Never' : formatDateTime(lastSignInAt)}</Fact>
          <Fact label="Two-factor authentication">
            <TwoFactorState user={user} />
          </Fact>
          <Fact label="Open sessions">{sessionCount.toLocaleString()}</Fact>
          <Fact label="Uploaded documents">{documentCount.toLocaleString()}</Fact>
          <Fact label="Chats">
            {canViewChats && chatCount > 0 ? (
              <TextLink to={`/admin/chat-history?user=${encodeURIComponent(user._id)}`}>
                {chatCount.toLocaleString()}
              </TextLink>
            ) : (
              chatCount.toLocaleString()
            )}
          </Fact>
        </dl>
      </Section>
      <Section
        title="Channels"
        action={
          <Button size="small" onClick={() => onAction('channels')}>
            Channel permissions
          </Button>
        }
      >
        <Channels ids={user.channels} />
      </Section>
      {user.role === 'admin' && isViewerSystemAdmin && (
        <Section
          title="Permissions"
          action={
            <Button size="small" onClick={() => onAction('permissions')}>
              Edit permissions
            </Button>
          }
        >
          <PermissionSummary user={user} />
        </Section>
      )}
    </>
  )
}

function LoadedUser({ user }: { user: UserDetail }) {
  const { user: viewer } = useSession()
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<OpenUserDialog | null>(null)
  function open(type: UserAction): void {
    setDialog({ type, user })
  }
  function close(): void {
    setDialog(null)
  }
  useEffect(() => {
    document.title = `${user.name} · ${product.name}`
  }, [user.name])
  if (viewer === null) return null
  return (
    <>
      <header className="flex items-center gap-4">
        <Avatar name={user.name} className="max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <h1 className="wrap-anywhere font-semibold text-2xl">
            <bdi>{user.name}</bdi>
          </h1>
          <div className="mt-1">
            <UserRole user={user} />
          </div>
        </div>
        <UserActions user={user} viewer={viewer} onAction={open} />
      </header>
      <Details user={user} onAction={open} />
      {dialog !== null && (
        <UserDialogs
          open
          onLoadError={() => {
            banner.error(texts.users.loadComponentFailed)
            close()
          }}
          props={{
            dialog,
            open: setDialog,
            close,
            onDeleted: () => navigate('/admin/users', { replace: true }),
          }}
        />
      )}
    </>
  )
}

function LoadUser({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(userQuery(id))
  if (data === undefined) return <LoadState error={error} retry={() => void refetch()} />
  return <LoadedUser user={data} />
}

/** Everything about one user. */
export function UserPage() {
  const { id = '' } = useParams()
  return (
    <Frame>
      <LoadUser key={id} id={id} />
    </Frame>
  )
}
