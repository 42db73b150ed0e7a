import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditActor, audit, userObject } from '../audit/append.ts'
import { findUserWithEmail } from '../auth/find-user.ts'
import { requireLockedUser } from './access.ts'
import { changeUser } from './store.ts'

export async function changeName(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  const user = await requireLockedUser(tx, userId)
  if (user.name === name) return
  await changeUser(tx, userId, { name })
  await audit(deps, tx, {
    actor,
    action: 'user.renamed',
    object: userObject({ id: userId, name }),
    before: { name: user.name },
    after: { name },
  })
}

/**
 * Changes the address of an ordinary user without a password. For others it would be a way to take over their account: the
 * owner of the new address could ask for a reset link.
 */
export async function changeEmail(
  deps: Deps,
  tx: Tx,
  actor: AuditActor,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const user = await requireLockedUser(tx, userId)
  if (user.role === 'admin')
    throw new AppError('scim.mutability', {
      message: 'A directory cannot change the email address of an administrator',
    })
  if (user.password_hash !== '')
    throw new AppError('scim.mutability', {
      message: 'A directory cannot change the email address of a user who has a password',
    })
  if (await findUserWithEmail(tx, email))
    throw new AppError('scim.uniqueness', { message: 'Another user has this email address' })
  await changeUser(tx, userId, { email })
  await audit(deps, tx, {
    actor,
    action: 'user.email-changed',
    object: userObject(user),
    before: { email: user.email },
    after: { email },
  })
}
