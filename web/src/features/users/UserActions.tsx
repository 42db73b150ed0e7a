import type { User } from '@lyceum/contract/auth'
import {
  Gauge,
  Hash,
  KeyRound,
  type LucideIcon,
  Pencil,
  ShieldMinus,
  ShieldPlus,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { IconButton } from '#ui/IconButton.tsx'

export type UserAction = 'rename' | 'channels' | 'role' | 'two-factor' | 'limits' | 'permissions' | 'delete'

export interface Viewer {
  _id: string
  isSystemAdmin: boolean
}

interface Action {
  action: UserAction
  icon: LucideIcon
  label: string
  tip: string
  /** The reason why the viewer cannot do this. */
  refusal: string | null
}

/** The actions in a user's row, with reasons for those that the viewer cannot do. */
function useActions(user: User, viewer: Viewer): Action[] {
  const can = usePermissionCheck()
  const { name } = user
  const editRefusal = can('canEditUsers') ? null : texts.permissions.editUsers
  const deleteRefusal = can('canDeleteUsers') ? null : texts.permissions.deleteUsers
  const systemAdminRefusal = user.isSystemAdmin && !viewer.isSystemAdmin ? texts.users.systemAdminOnly : null
  const isAdmin = user.role === 'admin'
  const actions: (Action | false)[] = [
    isAdmin &&
      viewer.isSystemAdmin && {
        action: 'permissions',
        icon: SlidersHorizontal,
        label: `Permissions of ${name}`,
        tip: 'Permissions',
        refusal: null,
      },
    {
      action: 'rename',
      icon: Pencil,
      label: `Edit the name of ${name}`,
      tip: 'Edit name',
      refusal: editRefusal,
    },
    { action: 'channels', icon: Hash, label: `Channels of ${name}`, tip: 'Channels', refusal: null },
    {
      action: 'role',
      icon: isAdmin ? ShieldMinus : ShieldPlus,
      label: isAdmin ? `Remove ${name} from administrators` : `Make ${name} an administrator`,
      tip: isAdmin ? 'Remove from administrators' : 'Make administrator',
      refusal: editRefusal ?? systemAdminRefusal,
    },
    {
      action: 'two-factor',
      icon: KeyRound,
      label: `2FA settings of ${name}`,
      tip: '2FA settings',
      refusal: null,
    },
    {
      action: 'limits',
      icon: Gauge,
      label: `Limits of ${name}`,
      tip: 'Limits',
      refusal: editRefusal ?? systemAdminRefusal,
    },
    user._id !== viewer._id && {
      action: 'delete',
      icon: Trash2,
      label: `Delete ${name}`,
      tip: 'Delete',
      refusal: deleteRefusal ?? systemAdminRefusal,
    },
  ]
  return actions.filter((action) => action !== false)
}

interface Props {
  user: User
  viewer: Viewer
  onAction: (action: UserAction, user: User) => void
}

export function UserActions({ user, viewer, onAction }: Props) {
  return (
    <div className="flex justify-end max-sm:flex-wrap lg:gap-x-1">
      {useActions(user, viewer).map(({ action, icon, label, tip, refusal }) => (
        <IconButton
          key={action}
          icon={icon}
          label={label}
          tooltipAlign="end"
          tone={action === 'delete' ? 'danger' : 'plain'}
          tip={refusal ?? tip}
          aria-description={refusal ?? undefined}
          aria-disabled={refusal !== null}
          onClick={() => (refusal === null ? onAction(action, user) : banner.error(refusal))}
        />
      ))}
      {/* Keeps the buttons aligned with those of other rows. */}
      {user._id === viewer._id && <span className="size-10 max-sm:hidden pointer-coarse:size-11" />}
    </div>
  )
}
