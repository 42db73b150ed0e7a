import { type Permission, shownPermission } from '@lyceum/contract/permissions'
import { useSession } from './SessionProvider.tsx'

/** What the screen shows as allowed. The server decides again at every call. */
export const useRights = (): ((flag: Permission) => boolean) => {
  const { user } = useSession()
  return (flag) => user !== null && shownPermission(user.permissions, flag)
}

export const useCan = (flag: Permission): boolean => useRights()(flag)

export const useIsSystemAdmin = (): boolean => useSession().user?.isSystemAdmin === true
