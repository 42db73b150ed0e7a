import type { LoginResult } from '@lyceum/contract/auth'
import type { Executor, Tx } from '#db/client.ts'
import { tokenHash } from '#keys/secrets.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, toAuditActor } from '../audit/append.ts'
import { type AttemptRule, countAttempt } from './attempts.ts'
import { applyNewPassword } from './new-password.ts'
import { checkPasswordChoice } from './password-choice.ts'
import { canUsePassword } from './password-sign-in.ts'
import { findReset, markResetUsed, type ResetRow, recordMailboxSignIn } from './password-store.ts'
import { hashPassword } from './passwords.ts'
import { sealRequest, sendResetLink } from './reset-link.ts'
import { openSession, presentSession } from './sessions.ts'
import { findUserById, lockUnchangedUser, type SessionRow, type UserRow } from './store.ts'

const hour = 3_600_000

const resetMailRule: AttemptRule = { action: 'reset-mail', limits: [{ count: 3, window: hour }] }

/**
 * Does the same work whether or not the address belongs to a user. The response is always the same, even if the
 * limit for the address is reached.
 */
export async function requestReset(
  deps: Deps,
  { email }: { email: string },
  client: Client,
): Promise<{ message: string }> {
  await deps.db.transaction().execute(async (tx) => {
    const wait = await countAttempt(deps, tx, resetMailRule, deps.secrets.keyedHash('password reset', email))
    if (wait === 0)
      await deps.jobs.add(tx, sendResetLink, sealRequest(deps, { email, at: deps.now(), client }))
  })
  return {
    message: deps.mail.delivers
      ? 'If there is an account for this address, a link is on its way.'
      : 'This server cannot send email. Ask an administrator for a link to set a new password.',
  }
}

const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** Only the holder of a link learns why it does not work. */
async function requireUsableReset(db: Executor, token: string, now: number): Promise<ResetRow> {
  const reset = tokenPattern.test(token) ? await findReset(db, tokenHash(token)) : undefined
  if (!reset) throw new AppError('auth.reset_invalid')
  if (reset.used_at !== null) throw new AppError('auth.reset_used')
  if (reset.expires_at <= now) throw new AppError('auth.reset_expired')
  return reset
}

async function requireActiveUser(db: Executor, userId: string): Promise<UserRow> {
  const user = await findUserById(db, userId)
  if (!user || user.deactivated_at !== null) throw new AppError('auth.reset_invalid')
  return user
}

/** Uses up the link. Throws if it was used or voided in the meantime. */
async function redeemReset(deps: Deps, tx: Tx, user: UserRow, token: string, resetId: string): Promise<void> {
  if ((await lockUnchangedUser(tx, user)) && (await markResetUsed(tx, resetId, deps.now()))) return
  await requireUsableReset(tx, token, deps.now())
  throw new AppError('auth.reset_invalid')
}

async function openResetSession(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  client: Client,
): Promise<SessionRow | null> {
  if (deps.env.RESET_REQUIRES_LOGIN) return null
  await recordMailboxSignIn(tx, user.id, deps.now())
  // The session has no trusted browser: the link proves access to the mailbox, not whose browser this is.
  return openSession(deps, tx, user, client, { method: 'reset-link', browserId: null })
}

/** A rejected password keeps the link valid for another attempt. */
export async function resetPassword(
  deps: Deps,
  { token, newPassword }: { token: string; newPassword: string },
  client: Client,
): Promise<LoginResult> {
  const reset = await requireUsableReset(deps.db, token, deps.now())
  const user = await requireActiveUser(deps.db, reset.user_id)
  if (!(await canUsePassword(deps.db, user))) throw new AppError('auth.password_unavailable')
  await checkPasswordChoice(deps, newPassword, user, 'newPassword')
  const hash = await hashPassword(newPassword)
  const session = await deps.db.transaction().execute(async (tx) => {
    await redeemReset(deps, tx, user, token, reset.id)
    await applyNewPassword(deps, tx, user, { hash, client })
    const opened = await openResetSession(deps, tx, user, client)
    await audit(deps, tx, { actor: toAuditActor(user, client, opened?.id), action: 'password.reset' })
    return opened
  })
  return session ? presentSession(deps, user, session) : {}
}
