import { authApi, type SessionUser } from '@lyceum/contract/auth'
import { type Permission, permissionsOf } from '@lyceum/contract/permissions'
import { storeSession } from '#api/token.ts'
import type { FakeApi } from './fake-api.ts'

export function aUser(change: Partial<SessionUser> = {}): SessionUser {
  return {
    _id: 'user-1',
    name: 'Ada Example',
    email: 'ada@example.com',
    role: 'user',
    channels: [],
    isSystemAdmin: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    permissions: permissionsOf({ role: 'user', isSystemAdmin: false }),
    ...change,
  }
}

export function anAdmin(change: Partial<SessionUser> = {}): SessionUser {
  return aUser({
    _id: 'admin-1',
    name: 'Grace Example',
    email: 'grace@example.com',
    role: 'admin',
    permissions: permissionsOf({ role: 'admin', isSystemAdmin: false }),
    ...change,
  })
}

function base64url(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** A token as the server makes them: three parts, with an expiry in seconds when one is given. */
export function aToken(exp?: number): string {
  return [
    base64url({ alg: 'HS256' }),
    base64url({ sub: 'user-1', ...(exp === undefined ? {} : { exp }) }),
    'mac',
  ].join('.')
}

/** Leaves a session in this browser, as an earlier sign-in would have. */
export function signIn(user: SessionUser, token = aToken()): void {
  storeSession(token, user)
}

/** Signs in an administrator who has all default permissions but these. */
export function signInAdminWithout(api: FakeApi, ...permissions: Permission[]): void {
  const overrides = Object.fromEntries(permissions.map((permission) => [permission, false]))
  const admin = anAdmin({ permissions: permissionsOf({ role: 'admin', isSystemAdmin: false, overrides }) })
  api.on(authApi.me, () => admin)
  signIn(admin)
}
