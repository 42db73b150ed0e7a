import { type Permission, permissionNames } from '@lyceum/contract/permissions'
import { useLocation } from 'wouter'
import { useNavigationState } from '#lib/router.tsx'
import { usePermissionCheck } from './use-can.ts'

export function isPermission(name: unknown): name is Permission {
  return permissionNames.some((permission) => permission === name)
}

interface MissingPermission {
  permission: Permission
  dismiss: () => void
}

/** The permission whose lack redirected the user to this page; null if there is none, or if it was granted since. */
export function useMissingPermission(): MissingPermission | null {
  const state = useNavigationState()
  const can = usePermissionCheck()
  const [pathname, navigate] = useLocation()
  const missing = state instanceof Object && 'missingPermission' in state ? state.missingPermission : null
  if (!isPermission(missing) || can(missing)) return null
  return { permission: missing, dismiss: () => navigate(pathname, { replace: true, state: null }) }
}
