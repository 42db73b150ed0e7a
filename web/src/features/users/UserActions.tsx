import type { User } from '@lyceum/contract/auth'
import {
  Ellipsis,
  Gauge,
  Hash,
  KeyRound,
  LogOut,
  type LucideIcon,
  Pencil,
  ShieldMinus,
  ShieldPlus,
  SlidersHorizontal,
  Trash2,
  UserCheck,
  UserMinus,
} from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { Menu } from '#ui/Menu.tsx'

export type UserAction =
  | 'rename'
  | 'channels'
  | 'role'
  | 'two-factor'
  | 'limits'
  | 'permissions'
  | 'sign-out'
  | 'activation'
  | 'delete'

/** A user with what decides which actions there are. */
export type ManagedUser = User & { deactivatedAt?: string | undefined; sessionCount?: number }

export interface Viewer {
  _id: string
  isSystemAdmin: boolean
}

interface Action {
  action: UserAction
  icon: LucideIcon
  label: string
  /** The reason why the viewer cannot do this. */
  refusal: string | null
}

function findSystemAdminRefusal(user: User, viewer: Viewer): string | null {
  return user.isSystemAdmin && !viewer.isSystemAdmin ? texts.users.systemAdminOnly : null
}

/** Why the viewer cannot change the role, the limits, the sessions and the API keys of a user; null if they can. */
export function useEditRefusal(user: User, viewer: Viewer): string | null {
  const can = usePermissionCheck()
  return can('canEditUsers') ? findSystemAdminRefusal(user, viewer) : texts.permissions.editUsers
}

/** What the viewer can do with a user, with reasons for what they cannot do. */
export function useUserActions(user: ManagedUser, viewer: Viewer): Action[] {
  const can = usePermissionCheck()
  const renameRefusal = can('canEditUsers') ? null : texts.permissions.editUsers
  const editRefusal = useEditRefusal(user, viewer)
  const deleteRefusal = can('canDeleteUsers') ? null : texts.permissions.deleteUsers
  const isAdmin = user.role === 'admin'
  const actions: (Action | false)[] = [
    { action: 'rename', icon: Pencil, label: 'Edit name', refusal: renameRefusal },
    { action: 'channels', icon: Hash, label: 'Channel permissions', refusal: null },
    {
      action: 'role',
      icon: isAdmin ? ShieldMinus : ShieldPlus,
      label: isAdmin ? 'Remove from administrators' : 'Make administrator',
      refusal: editRefusal,
    },
    isAdmin &&
      viewer.isSystemAdmin && {
        action: 'permissions',
        icon: SlidersHorizontal,
        label: 'Permissions',
        refusal: null,
      },
    { action: 'two-factor', icon: KeyRound, label: '2FA settings', refusal: null },
    { action: 'limits', icon: Gauge, label: 'Limits', refusal: editRefusal },
    {
      action: 'sign-out',
      icon: LogOut,
      label: 'Sign out everywhere',
      refusal: editRefusal ?? (user.sessionCount === 0 ? texts.users.notSignedIn : null),
    },
    user._id !== viewer._id &&
      viewer.isSystemAdmin && {
        action: 'activation',
        icon: user.deactivatedAt === undefined ? UserMinus : UserCheck,
        label: user.deactivatedAt === undefined ? 'Deactivate' : 'Activate',
        refusal: null,
      },
    user._id !== viewer._id && {
      action: 'delete',
      icon: Trash2,
      label: 'Delete',
      refusal: deleteRefusal ?? findSystemAdminRefusal(user, viewer),
    },
  ]
  return actions.filter((action) => action !== false)
}

interface Props {
  user: ManagedUser
  viewer: Viewer
  label?: string
  /** The actions that the menu has. Without it, all of them. */
  only?: readonly UserAction[]
  onAction: (action: UserAction, user: ManagedUser) => void
}

/** One menu with everything that the viewer can do with a user. A refused action says why. */
export function UserActions({ user, viewer, label = `Actions for ${user.name}`, only, onAction }: Props) {
  const actions = useUserActions(user, viewer).filter(({ action }) => only?.includes(action) ?? true)
  const items = actions.map(({ action, icon, label, refusal }) => ({
    icon,
    label,
    tone: action === 'delete' ? ('danger' as const) : ('plain' as const),
    startsGroup: action === 'delete',
    onChoose: () => (refusal === null ? onAction(action, user) : banner.error(refusal)),
  }))
  return <Menu icon={Ellipsis} label={label} tip="Actions" items={items} />
}
