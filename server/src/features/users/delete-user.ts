import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { requireAuthorityOver, requireUser } from './access.ts'
import { lockAdministratorsAs, requireRemainingAdministrators } from './administrators.ts'
import { anonymizeUser, deleteUser, lockUser } from './store.ts'

function requireDeleter(actor: Actor): void {
  requirePermission(actor, 'canDeleteUsers')
  requirePermission(actor, 'canManageUsers')
}

/** Deletes a user and their data. Documents stay, and so do chats if `RETAIN_CHATS` is set. */
export async function removeUser(deps: Deps, actor: Actor, id: string): Promise<{ message: string }> {
  const isRetained = deps.env.RETAIN_CHATS
  requireDeleter(actor)
  if (id === actor.userId) throw new AppError('user.self_delete')
  requireAuthorityOver(actor, await requireUser(deps.db, id))
  // Stop replies before the transaction, so that a finishing reply and the deletion of its chat cannot deadlock.
  await deps.lifecycle.onAccessLost(deps, { userId: id })
  const name = await deps.db.transaction().execute(async (tx) => {
    const current = await lockAdministratorsAs(tx, actor)
    requireDeleter(current)
    const target = await requireUser(tx, id)
    requireAuthorityOver(current, target)
    await requireRemainingAdministrators(tx, target)
    await lockUser(tx, id)
    if (isRetained) await anonymizeUser(tx, id, deps.now())
    else {
      await deps.lifecycle.onUserDeleting(deps, tx, id)
      await deleteUser(tx, id)
    }
    await audit(deps, tx, {
      actor,
      action: 'user.deleted',
      object: userObject(target),
      before: { email: target.email, role: target.role },
      after: { chatsAreRetained: isRetained },
    })
    return target.name
  })
  // Stop replies that were requested in the meantime.
  await deps.lifecycle.onAccessLost(deps, { userId: id })
  const chats = isRetained ? 'Their chats stay in the chat history.' : 'Their chats were deleted too.'
  return { message: `“${name}” was deleted. ${chats}` }
}
