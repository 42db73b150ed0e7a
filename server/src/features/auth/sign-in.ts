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
import type { SessionIdentity } from './sessions.ts'
import { findUserByEmail, findUserById, hasAnyUser, listChannelIds, type UserRow } from './store.ts'
import { admitSignIn, recordCorrectPassword, undoAttempt } from './throttle.ts'

export interface Credentials {
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

/** Where users without a password of ours have one. */
export interface PasswordDirectory {
  /** Null if the password is wrong or nobody has the address. */
  check(credentials: Credentials, client: Client): Promise<DirectoryMatch | null>
}

interface DirectoryMatch {
  userId: string
  identity: SessionIdentity
}

interface CheckedUser {
  user: UserRow
  /** For a password of the directory. */
  identity?: SessionIdentity
}

async function askDirectory(
  deps: Deps,
  directory: PasswordDirectory | null,
  credentials: Credentials,
  client: Client,
): Promise<CheckedUser | null> {
  const match = await directory?.check(credentials, client)
  // Read after the rules of the directory were applied: a new role ends sessions and trusted browsers.
  const user = match && (await findUserById(deps.db, match.userId))
  return match && user ? { user, identity: match.identity } : null
}

/**
 * Gives the same response, after the same work, to a wrong password, an unknown address and a muted attempt. The directory is
 * asked about all of them, so that its answer does not show who has a password of ours.
 */
async function checkPassword(
  deps: Deps,
  credentials: Credentials,
  { client, browser }: RequestOrigin,
  directory: PasswordDirectory | null,
): Promise<CheckedUser> {
  const { email, password } = credentials
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
  if (user && isCorrect && isAllowed && !admission.isMuted) {
    await recordCorrectPassword(deps, admission)
    return { user: isOutdatedHash(user.password_hash) ? await renewHash(deps, user, password) : user }
  }
  const found = admission.isMuted ? null : await askDirectory(deps, directory, credentials, client)
  if (found) {
    await recordCorrectPassword(deps, admission)
    return found
  }
  await auditAttempt(deps, 'sign-in.failed', user, client)
  // The same for all users, so that it reveals neither a correct password nor who may still use one.
  throw new AppError(isOff && directory === null ? 'auth.password_off' : 'auth.invalid_credentials')
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
export async function signIn(
  deps: Deps,
  input: Credentials,
  origin: RequestOrigin,
  directory: PasswordDirectory | null,
): Promise<LoginResult> {
  const { user, identity } = await checkPassword(deps, input, origin, directory)
  const step = {
    method: identity ? 'single-sign-on' : 'password',
    door: input.door,
    ...(identity ? { identity } : {}),
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
