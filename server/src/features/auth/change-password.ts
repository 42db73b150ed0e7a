import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, auditAlone } from '../audit/append.ts'
import { type AttemptRule, clearAttempts, countAttempt } from './attempts.ts'
import { applyNewPassword } from './new-password.ts'
import { checkPasswordChoice } from './password-choice.ts'
import { findSession } from './password-store.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { findUserById, lockUnchangedUser, type UserRow } from './store.ts'

interface PasswordChange {
  currentPassword: string
  newPassword: string
}

const wrongPasswordRule: AttemptRule = {
  action: 'current-password',
  limits: [{ count: 5, window: 15 * 60_000 }],
}

function createWrongPasswordError(): AppError {
  const { message } = new AppError('auth.wrong_password')
  return new AppError('auth.wrong_password', { fields: { currentPassword: message } })
}

/** Counts the attempt before comparing the password, so that concurrent requests get no extra attempts. */
async function checkCurrentPassword(
  deps: Deps,
  actor: Actor,
  user: UserRow,
  currentPassword: string,
): Promise<void> {
  const wait = await deps.db.transaction().execute((tx) => countAttempt(deps, tx, wrongPasswordRule, user.id))
  if (wait > 0) throw new AppError('rate.limited', { retryAfter: Math.ceil(wait / 1000) })
  if (!(await verifyPassword(user.password_hash, currentPassword))) {
    await auditAlone(deps, { actor, action: 'password.changed', result: 'failed' })
    throw createWrongPasswordError()
  }
  await clearAttempts(deps.db, wrongPasswordRule, user.id)
}

async function checkNewPassword(
  deps: Deps,
  user: UserRow,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  if (newPassword === currentPassword) {
    const message = 'The new password must differ from the current one'
    throw new AppError('validation.failed', { message, fields: { newPassword: message } })
  }
  await checkPasswordChoice(deps, newPassword, user, 'newPassword')
}

/** Changes the actor's own password; not even administrators can change another user's. Ends all other access. */
export async function changePassword(
  deps: Deps,
  actor: Actor,
  ownerId: string,
  change: PasswordChange,
  client: Client,
): Promise<{ message: string }> {
  const { userId, sessionId } = actor
  if (ownerId !== userId) throw notFound()
  const user = await findUserById(deps.db, userId)
  if (!user) throw new AppError('auth.session_ended')
  await checkCurrentPassword(deps, actor, user, change.currentPassword)
  await checkNewPassword(deps, user, change)
  const hash = await hashPassword(change.newPassword)
  await deps.db.transaction().execute(async (tx) => {
    const isUnchanged = await lockUnchangedUser(tx, user)
    const session = await findSession(tx, sessionId)
    if (!session) throw new AppError('auth.session_ended')
    if (!isUnchanged) throw createWrongPasswordError()
    await applyNewPassword(deps, tx, user, {
      hash,
      client,
      kept: { sessionId, browserId: session.browser_id },
    })
    await audit(deps, tx, { actor, action: 'password.changed' })
  })
  return { message: 'Password updated successfully' }
}
