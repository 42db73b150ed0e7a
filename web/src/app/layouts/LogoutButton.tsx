import { LogOut } from 'lucide-react'
import { useSessionActions } from '#features/auth/SessionProvider.tsx'
import { Button } from '#ui/Button.tsx'

/** Ends the session. The page's guard then redirects to /login. */
export function LogoutButton() {
  const session = useSessionActions()
  return (
    <Button variant="ghost" onClick={() => session.logout()} className="max-sm:px-2.5">
      <LogOut aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  )
}
