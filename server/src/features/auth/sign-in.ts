import type { LoginResult } from '@lyceum/contract/auth'
import type { Executor } from '#db/client.ts'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone, userObject } from '../audit/append.ts'
import type { RequestOrigin } from './complete-sign-in.ts'
import { finishFirstStep } from './first-step.ts'
import { isPasswordSignInOff } from './password-sign-in.ts'
import { replacePasswordHash } from './password-store.ts'
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords.ts'
import { presentSessionUser } from './present.ts'
import { findUserByEmail, findUserById, hasAnyUser, listChannelIds, type UserRow } from './store.ts'
import { admitSignIn, recordCorrectPassword, undoAttempt } from './throttle.ts'

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
  const isOff = await isPasswordSignInOff(deps.db)
  const isAllowed = !isOff || user?.is_break_glass === 1
  if (!user || !isCorrect || admission.isMuted || !isAllowed) {
    await auditAttempt(deps, 'sign-in.failed', user, client)
    // The same for all users, so that it reveals neither a correct password nor who may still use one.
    throw new AppError(isOff ? 'auth.password_off' : 'auth.invalid_credentials')
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

/** A response without a token means that a code was sent and that the sign-in must be completed with it. */
export async function signIn(deps: Deps, input: Credentials, origin: RequestOrigin): Promise<LoginResult> {
  const user = await checkPassword(deps, input, origin)
  const step = {
    method: 'password',
    door: input.door,
    isMultiFactor: false,
    refusal: 'auth.invalid_credentials',
  } as const
  return finishFirstStep(deps, user, step, origin)
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
