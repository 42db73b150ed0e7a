import type { Executor, Tx } from '#db/client.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { findUser, lockUser, type UserRow } from './store.ts'

export type { UserRow } from './store.ts'

/** Any person, for calls whose flag already says that the caller works with people. */
export async function requireUser(db: Executor, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (!user) throw notFound()
  return user
}

/** Loads and locks a user, so that nobody deletes them while the transaction gives them something. */
export async function requireLockedUser(
  tx: Tx,
  id: string,
  refusal: () => AppError = notFound,
): Promise<UserRow> {
  const user = await lockUser(tx, id)
  if (!user) throw refusal()
  return user
}

/** What changing somebody else takes. To ordinary people nobody else exists. */
export function requireEditor(actor: Actor, userId: string): void {
  if (actor.role !== 'admin' && userId !== actor.userId) throw notFound()
  requirePermission(actor, 'canManageUsers')
  requirePermission(actor, 'canEditUsers')
}

/** Nobody else demotes or deletes a system administrator, signs them out, or makes it easier to sign in as one. */
export function requireEqual(actor: Actor, target: Pick<UserRow, 'is_system_admin'>): void {
  if (target.is_system_admin === 1 && !actor.isSystemAdmin) throw new AppError('user.system_admin_only')
}
