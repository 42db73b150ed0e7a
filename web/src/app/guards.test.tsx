import { permissionsOf } from '@lyceum/contract/permissions'
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
const withoutChannels = {
  ...anonymous,
  user: anAdmin({
    permissions: permissionsOf({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canManageChannels: false },
    }),
  }),
}
const pending: SessionState = {
  ...anonymous,
  pending: { email: 'ada@example.com', door: 'user', delivery: 'mail', resendAt: 0 },
}

describe('redirectFor', () => {
  it.each([
    ['open', anonymous, null],
    ['open', user, null],
    ['visitor', anonymous, null],
    ['visitor', user, '/dashboard'],
    ['visitor', admin, '/admin'],
    ['visitor', { ...admin, redirectTo: '/dashboard' }, '/dashboard'],
    ['pending-code', anonymous, '/login'],
    ['pending-code', pending, null],
    ['pending-code', user, '/dashboard'],
    ['pending-code', admin, '/admin'],
    ['signed-in', anonymous, '/login'],
    ['signed-in', user, null],
    ['signed-in', admin, null],
    ['admin', anonymous, '/admin/login'],
    ['admin', { ...anonymous, redirectTo: '/login' }, '/login'],
    ['pending-code', { ...anonymous, redirectTo: '/admin/login' }, '/admin/login'],
    ['admin', user, '/admin/login'],
    ['admin', admin, null],
    ['canManageChannels', anonymous, '/admin/login'],
    ['canManageChannels', user, '/admin/login'],
    ['canManageChannels', admin, null],
    ['canManageChannels', withoutChannels, '/admin'],
    ['canViewChatHistory', admin, '/admin'],
  ] as const)('%s: case %#', (guard, state, target) => {
    expect(redirectFor(guard, state)).toBe(target)
  })
})
