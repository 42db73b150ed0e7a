import type { Executor, Tx } from '#db/client.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { findUser, lockUser, lockUsers, type UserRow } from './store.ts'

export type { UserRow } from './store.ts'

/** Finds any user, for calls whose permission already covers all users. */
export async function requireUser(db: Executor, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (!user) throw notFound()
  return user
}

/** Loads and locks a user, so that no one can delete them during the transaction. */
export async function requireLockedUser(
  tx: Tx,
  id: string,
  refusal: () => AppError = notFound,
): Promise<UserRow> {
  const user = await lockUser(tx, id)
  if (!user) throw refusal()
  return user
}

/** As `requireLockedUser`, for several users in one query. */
export async function requireLockedUsers(
  tx: Tx,
  ids: readonly string[],
  refusal: () => AppError,
): Promise<UserRow[]> {
  const users = await lockUsers(tx, ids)
  if (users.length < new Set(ids).size) throw refusal()
  return users
}

/** Throws unless the actor may edit this user. For ordinary users, other users do not exist. */
export function requireEditor(actor: Actor, userId: string): void {
  if (actor.role !== 'admin' && userId !== actor.userId) throw notFound()
  requirePermission(actor, 'canManageUsers')
  requirePermission(actor, 'canEditUsers')
}

/** Only system administrators may demote, delete or sign out a system administrator, or weaken their sign-in. */
export function requireAuthorityOver(actor: Actor, target: Pick<UserRow, 'is_system_admin'>): void {
  if (target.is_system_admin === 1 && !actor.isSystemAdmin) throw new AppError('user.system_admin_only')
}
