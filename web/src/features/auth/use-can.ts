import { type Permission, shownPermission } from '@lyceum/contract/permissions'
import { useSession } from './SessionProvider.tsx'

/** Tells what to offer the user. The server checks permissions again on every call. */
export function usePermissionCheck(): (flag: Permission) => boolean {
  const { user } = useSession()
  return (flag) => user !== null && shownPermission(user.permissions, flag)
}

export function useCan(flag: Permission): boolean {
  return usePermissionCheck()(flag)
}

export function useIsSystemAdmin(): boolean {
  return useSession().user?.isSystemAdmin === true
}
