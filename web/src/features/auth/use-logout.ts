import { askBeforeLeaving } from '#lib/leave-guard.ts'
import { useSessionActions } from './SessionProvider.tsx'

/** Ends the session, or asks first if the page has input to lose. The page's guard then redirects to /login. */
export function useLogout(): () => void {
  const { logout } = useSessionActions()
  return () => {
    if (!askBeforeLeaving('/login', logout)) logout()
  }
}
