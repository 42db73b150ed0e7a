import type { SessionUser } from '@lyceum/contract/auth'
import { permissionsOf } from '@lyceum/contract/permissions'
import { storeSession } from '#api/token.ts'

export const aUser = (change: Partial<SessionUser> = {}): SessionUser => ({
  _id: 'user-1',
  name: 'Ada Example',
  email: 'ada@example.com',
  role: 'user',
  channels: [],
  isSystemAdmin: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  permissions: permissionsOf({ role: 'user', isSystemAdmin: false }),
  ...change,
})

export const anAdmin = (change: Partial<SessionUser> = {}): SessionUser =>
  aUser({
    _id: 'admin-1',
    name: 'Grace Example',
    email: 'grace@example.com',
    role: 'admin',
    permissions: permissionsOf({ role: 'admin', isSystemAdmin: false }),
    ...change,
  })

const base64url = (value: object): string =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** A token as the server makes them: three parts, with an expiry in seconds when one is given. */
export const aToken = (exp?: number): string =>
  [
    base64url({ alg: 'HS256' }),
    base64url({ sub: 'user-1', ...(exp === undefined ? {} : { exp }) }),
    'mac',
  ].join('.')

/** Leaves a session in this browser, as an earlier sign-in would have. */
export const signIn = (user: SessionUser, token = aToken()): void => storeSession(token, user)
