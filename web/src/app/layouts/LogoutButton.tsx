import { LogOut } from 'lucide-react'
import { useLogout } from '#features/auth/use-logout.ts'
import { Button } from '#ui/Button.tsx'

export function LogoutButton() {
  const logout = useLogout()
  return (
    <Button variant="ghost" onClick={logout} className="max-sm:px-2.5">
      <LogOut aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  )
}
