import { LogOut, Settings2, UserRound } from 'lucide-react'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { createThemeItem } from '#ui/ThemeToggle.tsx'

interface Account {
  hasProfile: boolean
  hasAdminArea: boolean
  navigate: (path: string) => void
  logout: () => void
}

/** What the top bar of the other screens offers. */
export function createAccountItems({ hasProfile, hasAdminArea, navigate, logout }: Account): MenuItem[] {
  return [
    ...(hasProfile ? [{ label: 'Profile', icon: UserRound, onChoose: () => navigate('/profile') }] : []),
    ...(hasAdminArea ? [{ label: 'Admin', icon: Settings2, onChoose: () => navigate('/admin') }] : []),
    createThemeItem(),
    { label: 'Logout', icon: LogOut, onChoose: logout },
  ]
}
