import { isPermissionShown, type Permission } from '@lyceum/contract/permissions'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { isPermission } from '#features/auth/missing-permission.ts'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { canOpenAdminArea, getHomePath, type SessionState } from '#features/auth/session.ts'
import { Loading } from '#ui/Spinner.tsx'

/**
 * Who may see a page. 'visitor': only signed-out users; 'open': everyone; 'pending-code': users who have entered their
 * password but not yet their code; 'admin': administrators who may open the admin area; a permission: those of them who
 * have it.
 */
export type Guard = 'visitor' | 'open' | 'pending-code' | 'signed-in' | 'admin' | Permission

/** Where to redirect a user who may not see the page; null if they may. */
export function redirectFor(guard: Guard, { user, pending, redirectTo }: SessionState): string | null {
  // After signing out, users are redirected to /login, even from the admin area.
  const signInPath = user === null && redirectTo !== null ? redirectTo : '/admin/login'
  switch (guard) {
    case 'open':
      return null
    case 'visitor':
      return user === null ? null : (redirectTo ?? getHomePath(user))
    case 'pending-code':
      if (user !== null) return redirectTo ?? getHomePath(user)
      return pending === null ? (redirectTo ?? '/login') : null
    case 'signed-in':
      return user === null ? '/login' : null
    default:
      if (user?.role !== 'admin') return signInPath
      if (!canOpenAdminArea(user)) return '/dashboard'
      return guard === 'admin' || isPermissionShown(user.permissions, guard) ? null : '/admin'
  }
}

interface Props {
  guard: Guard
  children: ReactNode
}

/** Shows a page only to users who may see it, and a loading state until the session is known. */
export function Guarded({ guard, children }: Props) {
  const session = useSession()
  if (guard === 'open') return children
  if (!session.isInitialized) return <Loading fullPage />
  const target = redirectFor(guard, session)
  // The stored permissions may be outdated: the user may have followed a link sent because of a new permission.
  const mayBeStale = guard !== 'visitor' && guard !== 'pending-code' && session.user !== null
  if (target !== null && mayBeStale && !session.isConfirmed) return <Loading fullPage />
  // The administration says which permission is missing.
  if (target === '/admin' && isPermission(guard))
    return <Redirect to={target} replace state={{ missingPermission: guard }} />
  // wouter's Redirect navigates only on mount, so the key remounts it when the target changes.
  return target === null ? children : <Redirect key={target} to={target} replace />
}
