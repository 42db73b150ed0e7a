import type { User } from '@lyceum/contract/auth'
import type { UserAccess } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { userPermissionsQuery } from '#features/users/queries.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { type PermissionLabels, UserLosses } from './UserLosses.tsx'
import { useRemoveFromGroup } from './user-mutations.ts'

export type GroupOfUser = UserAccess['groups'][number]

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
        <UserLosses
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
