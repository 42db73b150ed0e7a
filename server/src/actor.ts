import { type Permission, type Permissions, type Role, refusalText } from '@lyceum/contract/permissions'
import { AppError } from './errors.ts'

/** Where a request comes from, for counters, sessions and the audit log. */
export interface Client {
  ip: string
  userAgent: string
}

/** Cookies in the caller's browser that scripts cannot read. */
export interface Browser {
  read(name: string): string | null
  /** `maxAge` in seconds. */
  keep(name: string, value: string, maxAge: number): void
  forget(name: string): void
}

/** The user who makes the request. Read from the database for every request, never cached. */
export interface Actor {
  userId: string
  sessionId: string
  name: string
  email: string
  role: Role
  isSystemAdmin: boolean
  permissions: Permissions
  /** Where the current request comes from. */
  client: Client
}

export function can(actor: Actor, flag: Permission): boolean {
  return actor.permissions[flag] === true
}

export function requirePermission(actor: Actor, flag: Permission): void {
  if (!can(actor, flag)) throw new AppError('permission.denied', { message: refusalText(flag) })
}
