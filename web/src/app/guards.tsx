import { type Permission, shownPermission } from '@lyceum/contract/permissions'
import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { homePathFor, type SessionState } from '#features/auth/session.ts'
import { Loading } from '#ui/Spinner.tsx'

/**
 * Who a screen is for. 'visitor': nobody signed in; 'open': everybody; 'pending-code': between password and code;
 * a permission: administrators who hold it.
 */
export type Guard = 'visitor' | 'open' | 'pending-code' | 'signed-in' | 'admin' | Permission

/** Where somebody is sent instead of a screen that is not theirs; null when it is. */
export function redirectFor(guard: Guard, { user, pending, redirectTo }: SessionState): string | null {
  // Who has just logged out is led to /login, also from the administration.
  const adminDoor = user === null && redirectTo !== null ? redirectTo : '/admin/login'
  switch (guard) {
    case 'open':
      return null
    case 'visitor':
      return user === null ? null : (redirectTo ?? homePathFor(user))
    case 'pending-code':
      if (user !== null) return homePathFor(user)
      return pending === null ? (redirectTo ?? '/login') : null
    case 'signed-in':
      return user === null ? '/login' : null
    case 'admin':
      return user?.role === 'admin' ? null : adminDoor
    default:
      if (user?.role !== 'admin') return adminDoor
      return shownPermission(user.permissions, guard) ? null : '/admin'
  }
}

interface Props {
  guard: Guard
  children: ReactNode
}

/** Shows a screen to whom it is for, and nothing of it before the session is known. */
export function Guarded({ guard, children }: Props) {
  const session = useSession()
  if (guard === 'open') return children
  if (!session.isInitialized) return <Loading fullPage />
  const target = redirectFor(guard, session)
  // What is stored of somebody's rights is older than the link they were sent because of a new one.
  const mayBeStale = guard !== 'visitor' && guard !== 'pending-code' && session.user !== null
  if (target !== null && mayBeStale && !session.isConfirmed) return <Loading fullPage />
  // A second redirect in the place of the first is a new one: the library follows each only once.
  return target === null ? children : <Redirect key={target} to={target} replace />
}
