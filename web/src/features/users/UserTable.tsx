import type { User } from '@lyceum/contract/auth'
import { ShieldCheck, Users } from 'lucide-react'
import { Avatar } from '#ui/Avatar.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Badge, Status } from '#ui/Status.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { type UserAction, UserActions, type Viewer } from './UserActions.tsx'

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

function UserName({ user, isViewer }: { user: User; isViewer: boolean }) {
  return (
    <div className="flex items-center gap-3 max-sm:flex-row-reverse">
      <Avatar name={user.name} className="sm:max-lg:hidden" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 max-sm:justify-end">
          <span dir="auto" className="wrap-anywhere">
            {user.name}
          </span>
          {isViewer && <span className="font-normal text-muted text-xs">You</span>}
        </p>
        <p className="wrap-anywhere font-normal text-muted text-xs">{user.email}</p>
      </div>
    </div>
  )
}

interface Props {
  users: readonly User[]
  viewer: Viewer
  onAction: (action: UserAction, user: User) => void
  search: string
}

export function UserTable({ users, viewer, onAction, search }: Props) {
  const columns: Column<User>[] = [
    {
      header: 'User',
      isRowHeader: true,
      cell: (user) => <UserName user={user} isViewer={user._id === viewer._id} />,
    },
    { header: 'Role', cell: (user) => <Role user={user} /> },
    { header: 'Channels', cell: ({ channels }) => channels.length.toLocaleString() },
    {
      header: 'Actions',
      hidesHeader: true,
      align: 'end',
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
        <EmptyState icon={Users} hint={search === '' ? undefined : `Nothing matches “${search}”.`}>
          No users found.
        </EmptyState>
      }
    />
  )
}
