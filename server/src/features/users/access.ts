import type { Executor, Tx } from '#db/client.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { findUser, holdUser, type UserRow } from './store.ts'

export type { UserRow } from './store.ts'

/** Any person, for calls whose flag already says that the caller works with people. */
export async function requireUser(db: Executor, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (!user) throw notFound()
  return user
}

/** The same, held until the transaction ends: nobody deletes them while they are given something. */
export async function holdPerson(tx: Tx, id: string, refusal: () => AppError = notFound): Promise<UserRow> {
  const user = await holdUser(tx, id)
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
