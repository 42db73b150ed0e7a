import type { SessionUser, User } from '@lyceum/contract/auth'
import { getPermissions, type Permissions } from '@lyceum/contract/permissions'
import type { UserRow } from './store.ts'

export function getUserPermissions(
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
