import type { LoginResult } from '@lyceum/contract/auth'
import type { Executor, Tx } from '#db/client.ts'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone, toAuditActor, userObject } from '../audit/append.ts'
import { touchTrustedBrowser } from './browser-store.ts'
import { completeSignIn, presentSignIn, type RequestOrigin, type SignInResult } from './complete-sign-in.ts'
import { replacePasswordHash } from './password-store.ts'
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords.ts'
import { getUserPermissions, presentSessionUser } from './present.ts'
import {
  findUserByEmail,
  findUserById,
  hasAnyUser,
  listChannelIds,
  lockUnchangedUser,
  type UserRow,
} from './store.ts'
import { admitSignIn, recordCorrectPassword, undoAttempt } from './throttle.ts'
import { getTrustedBrowser } from './trusted-browsers.ts'
import { type Challenge, sendChallengeCode, startChallenge } from './two-factor-challenge.ts'
import { getTwoFactorPolicy } from './two-factor-policy.ts'

interface Credentials {
  email: string
  password: string
  door?: 'user' | 'admin' | undefined
}

/** One audit entry per attempt, without the address: it may be a password typed into the wrong field. */
function auditAttempt(
  deps: Deps,
  action: 'sign-in.failed' | 'sign-in.throttled',
  user: UserRow | undefined,
  client: Client,
): Promise<void> {
  return auditAlone(deps, {
    actor: null,
    client,
    action,
    ...(user ? { object: userObject(user) } : {}),
    result: action === 'sign-in.failed' ? 'failed' : 'denied',
  })
}

async function auditThrottled(deps: Deps, email: string, client: Client, error: unknown): Promise<never> {
  if (error instanceof AppError && error.code === 'rate.limited')
    await auditAttempt(deps, 'sign-in.throttled', await findUserByEmail(deps.db, email), client)
  throw error
}

/** Gives the same response, after the same work, to a wrong password, an unknown address and a muted attempt. */
async function checkPassword(
  deps: Deps,
  { email, password }: Credentials,
  { client, browser }: RequestOrigin,
): Promise<UserRow> {
  const admission = await admitSignIn(deps, email, client, browser).catch((error: unknown) =>
    auditThrottled(deps, email, client, error),
  )
  const user = await findUserByEmail(deps.db, email)
  const isCorrect = await verifyPassword(user?.password_hash ?? null, password).catch(
    async (error: unknown) => {
      await undoAttempt(deps, admission)
      throw error
    },
  )
  if (!user || !isCorrect || admission.isMuted) {
    await auditAttempt(deps, 'sign-in.failed', user, client)
    throw new AppError('auth.invalid_credentials')
  }
  await recordCorrectPassword(deps, admission)
  return isOutdatedHash(user.password_hash) ? renewHash(deps, user, password) : user
}

/** Hashes the password with the current parameters, which only a sign-in can do. */
async function renewHash({ db }: Deps, user: UserRow, password: string): Promise<UserRow> {
  const hash = await hashPassword(password)
  const isRenewed = await replacePasswordHash(db, user.id, { before: user.password_hash, after: hash })
  // Another sign-in renewed it, or the password was changed: this one must read the user again.
  if (!isRenewed) throw new AppError('auth.busy', { retryAfter: 1 })
  return { ...user, password_hash: hash }
}

async function completePasswordStep(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { door, ...origin }: RequestOrigin & Pick<Credentials, 'door'>,
): Promise<{ result: SignInResult } | { challenge: Challenge }> {
  // The password may have changed, or the user's sessions ended, while the password was being verified.
  if (!(await lockUnchangedUser(tx, user))) throw new AppError('auth.invalid_credentials')
  const { twoFactorExpiryEnabled } = await getTwoFactorPolicy(tx, user)
  const trusted = await getTrustedBrowser(deps, tx, user, origin.browser)
  if (user.must_verify === 1 || (twoFactorExpiryEnabled && !trusted))
    return { challenge: await startChallenge(deps, tx, user, origin) }
  // If a code is required, both entry points lead to the same next step: docs/product.md, "Sign-in".
  if (door === 'admin' && !getUserPermissions(user).canAccessAdminPanel) throw new AppError('auth.admin_only')
  if (trusted) await touchTrustedBrowser(tx, trusted.id, deps.now())
  const sessionOrigin = trusted
    ? { method: 'trusted-browser' as const, browserId: trusted.id }
    : { method: 'password' as const, browserId: null }
  return { result: await completeSignIn(deps, tx, user, origin, sessionOrigin) }
}

/** A response without a token means that a code was sent and that the sign-in must be completed with it. */
export async function signIn(deps: Deps, input: Credentials, origin: RequestOrigin): Promise<LoginResult> {
  const user = await checkPassword(deps, input, origin)
  const { client } = origin
  const outcome = await deps.db
    .transaction()
    .execute((tx) => completePasswordStep(deps, tx, user, { ...origin, door: input.door }))
    .catch(async (error: unknown) => {
      if (error instanceof AppError)
        await auditAlone(deps, {
          actor: toAuditActor(user, client),
          action: 'sign-in.refused',
          after: { reason: error.code },
          result: 'denied',
        })
      throw error
    })
  return 'result' in outcome
    ? presentSignIn(deps, origin.browser, outcome.result)
    : sendChallengeCode(deps, user, origin, outcome.challenge)
}

export async function getCurrentUser(deps: Deps, actor: Actor) {
  const user = await findUserById(deps.db, actor.userId)
  if (!user) throw new AppError('auth.session_ended')
  return presentSessionUser(user, await listChannelIds(deps.db, user.id))
}

/** False until the installation has been set up. */
export function hasUsers(db: Executor): Promise<boolean> {
  return hasAnyUser(db)
}
