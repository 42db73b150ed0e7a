import type { ReactNode } from 'react'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { canOpenAdminArea } from '#features/auth/session.ts'
import { usePathExists } from '#lib/known-paths.ts'
import { Link } from '#ui/Link.tsx'
import { Logo } from '#ui/Logo.tsx'
import { ThemeToggle } from '#ui/ThemeToggle.tsx'
import { BarLink } from './BarLink.tsx'
import { LogoutButton } from './LogoutButton.tsx'
import { Shell } from './Shell.tsx'

function UserBar() {
  const user = useUser()
  const pathExists = usePathExists()
  return (
    // The chat screen has a bar of its own.
    <header className="beside-own-bar:hidden sticky top-0 z-30 border-hairline border-b bg-page">
      <div className="mx-auto flex h-14 max-w-7xl items-center gap-1 px-3 max-[22rem]:gap-0 max-[22rem]:px-2 sm:gap-2 sm:px-4 md:px-6">
        <Link to="/dashboard" className="mr-1 inline-flex rounded-control sm:mr-4">
          <Logo compact />
        </Link>
        <nav aria-label="Main" className="flex min-w-0 flex-1 items-center overflow-x-auto sm:gap-1">
          <BarLink to="/dashboard">Dashboard</BarLink>
          {pathExists('/profile') && <BarLink to="/profile">Profile</BarLink>}
          {user !== null && canOpenAdminArea(user) && <BarLink to="/admin">Admin</BarLink>}
        </nav>
        <ThemeToggle />
        <LogoutButton />
      </div>
    </header>
  )
}

export function UserLayout({ children }: { children: ReactNode }) {
  return <Shell header={<UserBar />}>{children}</Shell>
}
