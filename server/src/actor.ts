import { type Permission, type Permissions, type Role, refusalText } from '@lyceum/contract/permissions'
import type { Client } from './client.ts'
import { AppError } from './errors.ts'

/** Who is asking: read from the database with every request, never kept. */
export interface Actor {
  userId: string
  sessionId: string
  name: string
  email: string
  role: Role
  isSystemAdmin: boolean
  permissions: Permissions
  /** Where the request at hand comes from. */
  client: Client
}

export function can(actor: Actor, flag: Permission): boolean {
  return actor.permissions[flag] === true
}

export function requirePermission(actor: Actor, flag: Permission): void {
  if (!can(actor, flag)) throw new AppError('permission.denied', { message: refusalText(flag) })
}
