import { isPermissionShown, type Permission } from '@lyceum/contract/permissions'
import { useUser } from './SessionProvider.tsx'

/** Decides only what to offer the user. The server checks permissions on every call. */
export function usePermissionCheck(): (permission: Permission) => boolean {
  const user = useUser()
  return (permission) => user !== null && isPermissionShown(user.permissions, permission)
}

export function useCan(permission: Permission): boolean {
  return usePermissionCheck()(permission)
}

export function useIsSystemAdmin(): boolean {
  return useUser()?.isSystemAdmin === true
}
