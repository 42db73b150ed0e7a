import type { SessionUser, User } from '@lyceum/contract/auth'
import { getPermissions, type Permission, type Permissions } from '@lyceum/contract/permissions'
import type { UserRow } from './store.ts'

/** The permissions without those that groups give: what an administrator of permissions can change. */
export function getOwnPermissions(
  user: Pick<UserRow, 'role' | 'is_system_admin' | 'permission_overrides'>,
): Permissions {
  return getPermissions({
    role: user.role,
    isSystemAdmin: user.is_system_admin === 1,
    overrides: user.permission_overrides
      ? (JSON.parse(user.permission_overrides) as Partial<Permissions>)
      : null,
  })
}

/** What the user's groups give them while they are an administrator. */
export function parseGroupPermissions({
  group_permissions,
}: Pick<UserRow, 'group_permissions'>): Permission[] {
  return group_permissions === null ? [] : (JSON.parse(group_permissions) as Permission[])
}

/** Groups add permissions and take none away. */
export function getUserPermissions(
  user: Pick<UserRow, 'role' | 'is_system_admin' | 'permission_overrides' | 'group_permissions'>,
): Permissions {
  const own = getOwnPermissions(user)
  if (user.role !== 'admin') return own
  return { ...own, ...Object.fromEntries(parseGroupPermissions(user).map((name) => [name, true])) }
}

export function presentUser(user: UserRow, channels: string[]): User {
  return {
    _id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    channels,
    isSystemAdmin: user.is_system_admin === 1,
    createdAt: new Date(user.created_at).toISOString(),
  }
}

export function presentSessionUser(user: UserRow, channels: string[]): SessionUser {
  return {
    ...presentUser(user, channels),
    permissions: getUserPermissions(user),
    ...(user.password_hash === '' ? { usesSingleSignOn: true } : {}),
  }
}
