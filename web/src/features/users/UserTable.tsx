import type { User } from '@lyceum/contract/auth'
import type { ListedUser } from '@lyceum/contract/users'
import { Ban, ShieldCheck, Users } from 'lucide-react'
import { useSearch } from 'wouter'
import { formatDate, formatDateTime } from '#lib/date-time.ts'
import { toListState } from '#lib/list-path.ts'
import { userPath } from '#lib/user-path.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Badge, Status } from '#ui/Status.tsx'
import { aboveRowLink, type Column, coversRow, Table } from '#ui/Table.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { type ManagedUser, type UserAction, UserActions, type Viewer } from './UserActions.tsx'

function Role({ user }: { user: User }) {
  if (user.isSystemAdmin) {
    return (
      <Status tone="info" icon={ShieldCheck}>
        System admin
      </Status>
    )
  }
  return <Badge>{user.role === 'admin' ? 'Admin' : 'User'}</Badge>
}

/** The role, and whether the user is deactivated. */
export function UserRole({ user }: { user: ManagedUser }) {
  return (
    <span className="flex flex-wrap gap-1">
      <Role user={user} />
      {user.deactivatedAt !== undefined && (
        <Status tone="warning" icon={Ban}>
          Deactivated
        </Status>
      )}
    </span>
  )
}

function UserName({ user, isViewer }: { user: User; isViewer: boolean }) {
  const search = useSearch()
  return (
    <div className="flex items-center gap-3">
      <Avatar name={user.name} className="max-lg:hidden" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <TextLink
            to={userPath(user._id)}
            state={toListState(search)}
            className={cx('wrap-anywhere text-ink', coversRow)}
          >
            <bdi>{user.name}</bdi>
          </TextLink>
          {isViewer && <span className="font-normal text-muted text-xs">You</span>}
        </p>
        <p
          title={user.email}
          className={cx(
            'font-normal text-muted text-xs max-sm:wrap-anywhere max-sm:w-[calc(100vw-8rem)] sm:w-fit sm:max-w-64 sm:truncate',
            aboveRowLink,
          )}
        >
          {user.email}
        </p>
      </div>
    </div>
  )
}

function DayOrNever({ at }: { at: string | null }) {
  if (at === null) return <span className="text-muted">Never</span>
  return (
    <time dateTime={at} title={formatDateTime(at)} className="whitespace-nowrap">
      {formatDate(at)}
    </time>
  )
}

interface Props {
  users: readonly ListedUser[]
  viewer: Viewer
  onAction: (action: UserAction, user: ManagedUser) => void
  search: string
  /** Set if the list is filtered by more than the search. */
  onClear: (() => void) | undefined
}

export function UserTable({ users, viewer, onAction, search, onClear }: Props) {
  const columns: Column<ListedUser>[] = [
    {
      header: 'User',
      isRowHeader: true,
      hidesHeader: true,
      card: 'title',
      cell: (user) => <UserName user={user} isViewer={user._id === viewer._id} />,
    },
    { header: 'Role', hidesHeader: true, card: 'label', cell: (user) => <UserRole user={user} /> },
    {
      header: 'Channels',
      align: 'end',
      card: 'detail',
      cell: ({ channels }) => channels.length.toLocaleString(),
    },
    {
      header: '2FA',
      hideBelow: 'md',
      card: 'detail',
      cell: ({ twoFactorEnabled }) => (twoFactorEnabled ? 'On' : 'Off'),
    },
    {
      header: 'Last sign-in',
      hideBelow: 'md',
      card: 'lastDetail',
      cell: ({ lastSignInAt }) => <DayOrNever at={lastSignInAt} />,
    },
    { header: 'Joined', hideBelow: 'lg', cell: ({ createdAt }) => <DayOrNever at={createdAt} /> },
    {
      header: 'Actions',
      hidesHeader: true,
      align: 'end',
      card: 'actions',
      cell: (user) => <UserActions user={user} viewer={viewer} onAction={onAction} />,
    },
  ]
  return (
    <Table
      caption="Users"
      columns={columns}
      rows={users}
      getKey={({ _id }) => _id}
      empty={
        <EmptyState
          icon={Users}
          hint={onClear ? 'No users match all filters.' : search !== '' && `Nothing matches “${search}”.`}
          action={onClear && <Button onClick={onClear}>Clear filters</Button>}
        >
          No users found.
        </EmptyState>
      }
    />
  )
}
