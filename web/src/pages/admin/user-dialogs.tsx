import type { User } from '@lyceum/contract/auth'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, RefObject } from 'react'
import { useSessionActions, useUser } from '#features/auth/SessionProvider.tsx'
import { UserLimitsDialog } from '#features/chats/quotas/UserLimitsDialog.tsx'
import { userAccessQuery } from '#features/groups/queries.ts'
import { listGivenPermissions } from '#features/groups/user-losses.ts'
import { SignOutDialog } from '#features/two-factor/SignOutDialog.tsx'
import { UserTwoFactorDialog } from '#features/two-factor/UserTwoFactorDialog.tsx'
import { ActivationDialog } from '#features/users/ActivationDialog.tsx'
import { AdminPermissionsDialog } from '#features/users/AdminPermissionsDialog.tsx'
import { ChannelAccessDialog } from '#features/users/ChannelAccessDialog.tsx'
import { DeleteUserDialog } from '#features/users/DeleteUserDialog.tsx'
import { EditUserDialog } from '#features/users/EditUserDialog.tsx'
import { RoleDialog } from '#features/users/RoleDialog.tsx'
import type { ManagedUser, UserAction } from '#features/users/UserActions.tsx'

export interface OpenUserDialog {
  type: UserAction
  user: ManagedUser
}

interface Props {
  dialog: OpenUserDialog
  open: (next: OpenUserDialog) => void
  close: () => void
  onDeleted?: () => void
  /** Receives the focus when the button that opened the dialog is gone. */
  heading?: RefObject<HTMLElement | null>
}

/** Adds what the groups of the user give. */
function PermissionsDialog(props: Omit<ComponentProps<typeof AdminPermissionsDialog>, 'given'>) {
  const { data } = useQuery({ ...userAccessQuery(props.user._id), meta: { quiet: true } })
  return <AdminPermissionsDialog {...props} given={data && listGivenPermissions(data.groups)} />
}

/** The dialogs of the actions of a user, in the list and on the user's page. */
export function UserDialogs({ dialog: { type, user }, open, close, onDeleted, heading }: Props) {
  const viewer = useUser()
  const { refresh } = useSessionActions()
  /** Reloads the session when viewers change their own account, so that the page shows their new permissions. */
  function refreshOwnSession(changed: User): void {
    if (changed._id === viewer?._id) void refresh()
  }
  switch (type) {
    case 'rename':
      return <EditUserDialog user={user} onRenamed={refreshOwnSession} onClose={close} />
    case 'channels':
      return <ChannelAccessDialog user={user} onClose={close} />
    case 'role':
      return <RoleDialog user={user} onChanged={refreshOwnSession} onClose={close} />
    case 'two-factor':
      return <UserTwoFactorDialog user={user} onClose={close} />
    case 'limits':
      return <UserLimitsDialog user={user} onClose={close} />
    case 'permissions':
      return (
        <PermissionsDialog
          user={user}
          onChanged={(changed) => {
            refreshOwnSession(changed)
            // Viewers who are no longer system administrators cannot edit permissions.
            if (changed._id === viewer?._id && !changed.isSystemAdmin) close()
            else open({ type: 'permissions', user: changed })
          }}
          onClose={close}
        />
      )
    case 'sign-out':
      return <SignOutDialog user={user} onClose={close} />
    case 'activation':
      return <ActivationDialog user={user} heading={heading} onClose={close} />
    case 'delete':
      return <DeleteUserDialog user={user} onDeleted={onDeleted} onClose={close} />
  }
}
