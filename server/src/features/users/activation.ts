import type { UserDetail } from '@lyceum/contract/users'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditActor, audit, userObject } from '../audit/append.ts'
import { revokeAccess } from '../auth/revoke.ts'
import { requireLockedUser } from './access.ts'
import { lockAdministratorsAs, requireRemainingAdministrators } from './administrators.ts'
import { changeUser } from './store.ts'
import { getUserDetail } from './users.ts'

/**
 * Deactivates a user or activates them again. A deactivated user cannot sign in and their API keys do not work, but
 * everything of theirs stays. The caller has locked the administrators, and calls `onAccessLost` after the transaction.
 */
export async function setActive(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { userId, isActive }: { userId: string; isActive: boolean },
): Promise<void> {
  const user = await requireLockedUser(tx, userId)
  if ((user.deactivated_at === null) === isActive) return
  if (!isActive) {
    await requireRemainingAdministrators(tx, user)
    await revokeAccess(tx, userId)
  }
  await changeUser(tx, userId, { deactivated_at: isActive ? null : deps.now() })
  await audit(deps, tx, {
    actor,
    action: isActive ? 'user.activated' : 'user.deactivated',
    object: userObject(user),
  })
}

/** As a system administrator. A directory that manages the user can change it again. */
export async function changeActive(
  deps: Deps,
  actor: Actor,
  userId: string,
  isActive: boolean,
): Promise<UserDetail> {
  if (userId === actor.userId && !isActive) throw new AppError('user.self_deactivate')
  await deps.db.transaction().execute(async (tx) => {
    const current = await lockAdministratorsAs(tx, actor)
    if (!current.isSystemAdmin) throw new AppError('permission.denied')
    await setActive(deps, tx, actor, { userId, isActive })
  })
  if (!isActive) await deps.lifecycle.onAccessLost(deps, { userId })
  return getUserDetail(deps, userId)
}
