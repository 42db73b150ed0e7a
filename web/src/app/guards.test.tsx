import { getPermissions } from '@lyceum/contract/permissions'
import { describe, expect, it } from 'vitest'
import type { SessionState } from '#features/auth/session.ts'
import { anAdmin, aUser } from '#testing/users.ts'
import { redirectFor } from './guards.tsx'

const anonymous: SessionState = {
  user: null,
  pending: null,
  isLoading: false,
  isInitialized: true,
  isConfirmed: true,
  redirectTo: null,
}
const user = { ...anonymous, user: aUser() }
const admin = { ...anonymous, user: anAdmin() }
const withoutManageChannels = {
  ...anonymous,
  user: anAdmin({
    permissions: getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canManageChannels: false },
    }),
  }),
}
const withoutAdminArea = {
  ...anonymous,
  user: anAdmin({
    permissions: getPermissions({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canAccessAdminPanel: false },
    }),
  }),
}
const pending: SessionState = {
  ...anonymous,
  pending: { email: 'ada@example.com', door: 'user', delivery: 'mail', resendAt: 0 },
}

describe('redirectFor', () => {
  it.each([
    ['open', 'a visitor', anonymous, null],
    ['open', 'a user', user, null],
    ['visitor', 'a visitor', anonymous, null],
    ['visitor', 'a user', user, '/dashboard'],
    ['visitor', 'an administrator', admin, '/admin'],
    [
      'visitor',
      'an administrator on the way to /dashboard',
      { ...admin, redirectTo: '/dashboard' },
      '/dashboard',
    ],
    ['pending-code', 'a visitor', anonymous, '/login'],
    ['pending-code', 'a visitor with a pending code', pending, null],
    ['pending-code', 'a user', user, '/dashboard'],
    ['pending-code', 'an administrator', admin, '/admin'],
    ['signed-in', 'a visitor', anonymous, '/login'],
    ['signed-in', 'a user', user, null],
    ['signed-in', 'an administrator', admin, null],
    ['admin', 'a visitor', anonymous, '/admin/login'],
    ['admin', 'a visitor on the way to /login', { ...anonymous, redirectTo: '/login' }, '/login'],
    [
      'pending-code',
      'a visitor on the way to /admin/login',
      { ...anonymous, redirectTo: '/admin/login' },
      '/admin/login',
    ],
    ['admin', 'a user', user, '/admin/login'],
    ['admin', 'an administrator', admin, null],
    ['canManageChannels', 'a visitor', anonymous, '/admin/login'],
    ['canManageChannels', 'a user', user, '/admin/login'],
    ['canManageChannels', 'an administrator', admin, null],
    ['canManageChannels', 'an administrator without canManageChannels', withoutManageChannels, '/admin'],
    ['canViewChatHistory', 'an administrator', admin, '/admin'],
    ['visitor', 'an administrator without canAccessAdminPanel', withoutAdminArea, '/dashboard'],
    ['admin', 'an administrator without canAccessAdminPanel', withoutAdminArea, '/dashboard'],
    ['canManageUsers', 'an administrator without canAccessAdminPanel', withoutAdminArea, '/dashboard'],
  ] as const)('applies the guard %s to %s', (guard, _, state, target) => {
    expect(redirectFor(guard, state)).toBe(target)
  })
})
