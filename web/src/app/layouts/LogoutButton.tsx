import { LogOut } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useSessionActions } from '#features/auth/SessionProvider.tsx'
import { Button } from '#ui/Button.tsx'

export const LogoutButton = () => {
  const session = useSessionActions()
  const navigate = useNavigate()
  const handleLogout = (): void => {
    // First the way, then the end: otherwise an administrator's screen would lead to /admin/login by its guard.
    void navigate('/login', { flushSync: true })
    session.logout()
  }
  return (
    <Button variant="ghost" onClick={handleLogout} className="max-sm:px-2.5">
      <LogOut aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  )
}
