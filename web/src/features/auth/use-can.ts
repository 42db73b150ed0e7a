import { type Permission, shownPermission } from '@lyceum/contract/permissions'
import { useSession } from './SessionProvider.tsx'

/** What the screen shows as allowed. The server decides again at every call. */
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
