import { type Permission, type Permissions, type Role, refusalText } from '@lyceum/contract/permissions'
import type { Client } from './client.ts'
import { AppError } from './errors.ts'

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
