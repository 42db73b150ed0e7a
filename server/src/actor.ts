import {
  findMissingPermission,
  getRefusalText,
  type Permission,
  type Permissions,
  type Role,
} from '@lyceum/contract/permissions'
import { AppError } from './errors.ts'

/** Where a request comes from, for counters, sessions and the audit log. */
export interface Client {
  ip: string
  userAgent: string
}

/** Cookies in the caller's browser that scripts cannot read. */
export interface BrowserCookies {
  readCookie(name: string): string | null
  /** `maxAge` in seconds. */
  setCookie(name: string, value: string, maxAge: number): void
  deleteCookie(name: string): void
  /** Whether the request comes from a page of ours, so that its browser sends our cookies with the next one. */
  readonly sendsCookies: boolean
}

/** The user who makes the request. Read from the database for every request, never cached. */
export interface Actor {
  userId: string
  sessionId: string
  name: string
  email: string
  role: Role
  isSystemAdmin: boolean
  /** As granted. To check one, use `can` or `requirePermission`: some have an effect only with another. */
  permissions: Permissions
  /** The only channel that a sign-in on another site can use; null for all others. */
  boundChannelId: string | null
  /** Whether a program may still use its key, whose id is in place of the session's; null for all others. */
  isKeyActive: (() => Promise<boolean>) | null
  /** Where the current request comes from. */
  client: Client
}

export function can(actor: Actor, permission: Permission): boolean {
  return findMissingPermission(actor.permissions, permission) === null
}

export function requirePermission(actor: Actor, permission: Permission): void {
  const missing = findMissingPermission(actor.permissions, permission)
  if (missing !== null) throw new AppError('permission.denied', { message: getRefusalText(missing) })
}
