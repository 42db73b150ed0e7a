import { getPermissions, type Permissions } from '@lyceum/contract/permissions'
import type { Tx } from '#db/client.ts'
import { queueEmail } from '#mail/send-mail.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { getUserPermissions, parseGroupPermissions } from '../auth/present.ts'
import {
  countOtherAdministrators,
  findUser,
  listSystemAdministrators,
  lockAdministrators,
  type UserRow,
} from './store.ts'

/**
 * Prevents all other changes to administrators and their permissions until the transaction ends. Returns the
 * actor as stored now: they may have lost the role or the permission while waiting for the lock.
 */
export async function lockAdministratorsAs(tx: Tx, actor: Actor): Promise<Actor> {
  await lockAdministrators(tx)
  const row = await findUser(tx, actor.userId)
  // Losing the role and being deactivated also ended their sessions.
  if (row?.role !== 'admin' || row.deactivated_at !== null) throw new AppError('auth.session_ended')
  return {
    ...actor,
    role: row.role,
    isSystemAdmin: row.is_system_admin === 1,
    permissions: getUserPermissions(row),
  }
}

/**
 * Locks all administrators and returns the permissions of the one who invited an administrator, as stored now. Null if
 * the inviter could not promote a user any more.
 */
export async function lockInviter(tx: Tx, userId: string | null): Promise<Pick<Actor, 'permissions'> | null> {
  await lockAdministrators(tx)
  const row = userId === null ? undefined : await findUser(tx, userId)
  if (row?.role !== 'admin' || row.deactivated_at !== null) return null
  const permissions = getUserPermissions(row)
  return permissions.canManageUsers && permissions.canEditUsers ? { permissions } : null
}

/** As `lockAdministratorsAs`, for changes that no actor makes. */
export function keepAdministratorsUnchanged(tx: Tx): Promise<void> {
  return lockAdministrators(tx)
}

/** Groups must not make a new administrator more powerful than the one who promotes them. */
export function requireGroupPermissions(
  { permissions }: Pick<Actor, 'permissions'>,
  user: Pick<UserRow, 'group_permissions'>,
): void {
  if (parseGroupPermissions(user).some((name) => !permissions[name]))
    throw new AppError('group.gives_permissions')
}

/** Refuses to remove the last administrator or system administrator. The caller has locked all administrators. */
export async function requireRemainingAdministrators(tx: Tx, target: UserRow): Promise<void> {
  if (target.role !== 'admin') return
  const others = await countOtherAdministrators(tx, target.id)
  if (target.is_system_admin === 1 && others.system === 0) throw new AppError('user.last_system_admin')
  if (others.all === 0) throw new AppError('user.last_admin')
}

/** Emails every system administrator, in the transaction that makes the reported change. */
export async function emailSystemAdministrators(
  deps: Deps,
  tx: Tx,
  email: Pick<Parameters<typeof queueEmail>[2], 'content' | 'expiresAt'>,
): Promise<void> {
  for (const { name, email: address } of await listSystemAdministrators(tx))
    await queueEmail(deps, tx, { to: { name, address }, ...email })
}

const defaults = getPermissions({ role: 'admin', isSystemAdmin: false })

/** Stores only the permissions that differ from the defaults for administrators; null if none do. */
export function toOverrides(permissions: Partial<Permissions>): string | null {
  const changed = Object.entries(permissions).filter(
    ([name, isGranted]) => isGranted !== defaults[name as keyof Permissions],
  )
  return changed.length === 0 ? null : JSON.stringify(Object.fromEntries(changed))
}

function pickDenied(permissions: Partial<Permissions>): Partial<Permissions> {
  return Object.fromEntries(Object.entries(permissions).filter(([, isGranted]) => !isGranted))
}

function parseOverrides({
  permission_overrides,
}: Pick<UserRow, 'permission_overrides'>): Partial<Permissions> {
  return permission_overrides === null ? {} : (JSON.parse(permission_overrides) as Partial<Permissions>)
}

/**
 * Returns the permissions to store when a user stops being an administrator: only those that were denied, so that
 * promoting the user again does not grant them. Permissions granted beyond the defaults are dropped.
 */
export function getDeniedOverrides(user: Pick<UserRow, 'permission_overrides'>): string | null {
  return toOverrides(pickDenied(parseOverrides(user)))
}

/**
 * Returns the permissions of a new administrator, who gets none that the promoting administrator lacks. Otherwise
 * administrators could grant a second account what they were denied themselves. If the user has been an administrator
 * before, permissions that were denied at that time stay denied.
 */
export function createPromotionOverrides(
  { permissions }: Pick<Actor, 'permissions'>,
  user: Pick<UserRow, 'permission_overrides'>,
): string | null {
  return toOverrides({ ...pickDenied(parseOverrides(user)), ...pickDenied(permissions) })
}
