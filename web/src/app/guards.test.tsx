import { permissionsOf } from '@lyceum/contract/permissions'
import { describe, expect, it } from 'vitest'
import type { SessionState } from '#features/auth/session.ts'
import { anAdmin, aUser } from '#testing/users.ts'
import { redirectFor } from './guards.tsx'

const nobody: SessionState = {
  user: null,
  pending: null,
  isLoading: false,
  isInitialized: true,
  isConfirmed: true,
  redirectTo: null,
}
const user = { ...nobody, user: aUser() }
const admin = { ...nobody, user: anAdmin() }
const withoutChannels = {
  ...nobody,
  user: anAdmin({
    permissions: permissionsOf({
      role: 'admin',
      isSystemAdmin: false,
      overrides: { canManageChannels: false },
    }),
  }),
}
const pending: SessionState = {
  ...nobody,
  pending: { email: 'ada@example.com', door: 'user', delivery: 'mail', resendAt: 0 },
}

describe('redirectFor', () => {
  it.each([
    ['open', nobody, null],
    ['open', user, null],
    ['visitor', nobody, null],
    ['visitor', user, '/dashboard'],
    ['visitor', admin, '/admin'],
    ['visitor', { ...admin, redirectTo: '/dashboard' }, '/dashboard'],
    ['pending-code', nobody, '/login'],
    ['pending-code', pending, null],
    ['pending-code', user, '/dashboard'],
    ['pending-code', admin, '/admin'],
    ['signed-in', nobody, '/login'],
    ['signed-in', user, null],
    ['signed-in', admin, null],
    ['admin', nobody, '/admin/login'],
    ['admin', { ...nobody, redirectTo: '/login' }, '/login'],
    ['pending-code', { ...nobody, redirectTo: '/admin/login' }, '/admin/login'],
    ['admin', user, '/admin/login'],
    ['admin', admin, null],
    ['canManageChannels', nobody, '/admin/login'],
    ['canManageChannels', user, '/admin/login'],
    ['canManageChannels', admin, null],
    ['canManageChannels', withoutChannels, '/admin'],
    ['canViewChatHistory', admin, '/admin'],
  ] as const)('%s: case %#', (guard, state, target) => {
    expect(redirectFor(guard, state)).toBe(target)
  })
})
