import type { User } from '@lyceum/contract/auth'
import type { UserAccess } from '@lyceum/contract/groups'
import type { Permission, Permissions } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { userPermissionsQuery } from '#features/users/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { listLostChannels, listLostPermissions } from './user-losses.ts'
import { useRemoveFromGroup } from './user-mutations.ts'

export type GroupOfUser = UserAccess['groups'][number]

export type PermissionLabels = ReadonlyMap<Permission, string>

interface LossesProps {
  userName: string
  access: UserAccess
  group: GroupOfUser
  /** The permissions set for the user; null if groups give them none. */
  own: Permissions | null
  permissionLabels: PermissionLabels
}

function Losses({ userName, access, group, own, permissionLabels }: LossesProps) {
  const channels = listLostChannels(access, group._id)
  const permissions = own === null ? [] : listLostPermissions(access, group._id, own)
  const name = <bdi>{userName}</bdi>
  if (channels.length === 0 && permissions.length === 0)
    return <p className="mt-2">{name} loses no channels or permissions.</p>
  return (
    <>
      {channels.length > 0 && (
        <>
          <p className="mt-2">
            {name} will lose access to {formatCount(channels.length, 'channel')}:
          </p>
          <ul className="mt-1 max-h-48 list-disc overflow-y-auto ps-5">
            {channels.map((channel) => (
              <li key={channel._id} className="wrap-anywhere">
                <bdi>{channel.name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {permissions.length > 0 && (
        <>
          <p className="mt-2">
            {name} will lose {formatCount(permissions.length, 'permission')}:
          </p>
          <ul className="mt-1 list-disc ps-5">
            {permissions.map((permission) => (
              <li key={permission}>{permissionLabels.get(permission)}</li>
            ))}
          </ul>
        </>
      )}
      {channels.length > 0 && <p className="mt-2">Their chats are kept and return if access is restored.</p>}
    </>
  )
}

interface Props {
  user: User
  access: UserAccess
  group: GroupOfUser
  permissionLabels: PermissionLabels
  /** Where to move the focus when the row is gone. */
  findOther: () => HTMLElement | null
  onClose: () => void
}

/** Confirms removing a user from a group and says what they lose. */
export function RemoveFromGroupDialog(props: Props) {
  const { user, access, group, permissionLabels, findOther, onClose } = props
  // Only system administrators change the members of a group with permissions, and they can read those of a user.
  const needsPermissions = group.permissions.length > 0 && user.role === 'admin' && !user.isSystemAdmin
  const own = useQuery({ ...userPermissionsQuery(user._id), enabled: needsPermissions })
  const remove = useRemoveFromGroup(user)
  const isRemoved = useRef(false)
  const isLoading = needsPermissions && own.isPending
  const { directory, issuers } = group
  return (
    <ConfirmDialog
      open
      title="Remove from this group?"
      confirmLabel="Remove from group"
      busy={remove.isPending || isLoading}
      onConfirm={() =>
        remove.mutate(group, {
          onSuccess: () => {
            isRemoved.current = true
          },
          onSettled: onClose,
        })
      }
      onCancel={onClose}
      finalFocus={() => (isRemoved.current ? findOther() : null)}
    >
      <QuestionSubject name={group.name} />
      {isLoading && <Skeleton className="mt-3 h-16" />}
      {needsPermissions && own.data === undefined && own.error !== null && (
        <p className="mt-2">They lose the channels and permissions that only this group gives them.</p>
      )}
      {(!needsPermissions || own.data !== undefined) && (
        <Losses
          userName={user.name}
          access={access}
          group={group}
          own={own.data ?? null}
          permissionLabels={permissionLabels}
        />
      )}
      {directory !== undefined && (
        <p className="mt-2">The membership comes from {directory}, which may add it again.</p>
      )}
      {issuers.length > 0 && (
        <p className="mt-2">
          The membership comes from {issuers.map(({ name }) => name).join(', ')} and will return at the next
          sign-in, as long as a rule there names this group.
        </p>
      )}
    </ConfirmDialog>
  )
}
