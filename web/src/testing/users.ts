import { authApi, type SessionUser } from '@lyceum/contract/auth'
import { getPermissions, type Permission } from '@lyceum/contract/permissions'
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
    permissions: getPermissions({ role: 'user', isSystemAdmin: false }),
    ...change,
  }
}

export function anAdmin(change: Partial<SessionUser> = {}): SessionUser {
  return aUser({
    _id: 'admin-1',
    name: 'Grace Example',
    email: 'grace@example.com',
    role: 'admin',
    permissions: getPermissions({ role: 'admin', isSystemAdmin: false }),
    ...change,
  })
}

function encodeBase64url(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** A token in the server's format: three parts, optionally with an expiry in seconds. */
export function aToken(exp?: number): string {
  return [
    encodeBase64url({ alg: 'HS256' }),
    encodeBase64url({ sub: 'user-1', ...(exp === undefined ? {} : { exp }) }),
    'mac',
  ].join('.')
}

/** Stores a session in this browser, as a sign-in does. */
export function signIn(user: SessionUser, token = aToken()): void {
  storeSession(token, user)
}

/** Signs in an administrator with all default permissions except these. */
export function signInAdminWithout(api: FakeApi, ...permissions: Permission[]): void {
  const overrides = Object.fromEntries(permissions.map((permission) => [permission, false]))
  const admin = anAdmin({ permissions: getPermissions({ role: 'admin', isSystemAdmin: false, overrides }) })
  api.on(authApi.me, () => admin)
  signIn(admin)
}
