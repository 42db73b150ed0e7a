import { randomInt, timingSafeEqual } from 'node:crypto'
import type { LoginResult } from '@lyceum/contract/auth'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import { renderEmail } from '#mail/email.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone, toAuditActor, userObject } from '../audit/append.ts'
import { type AttemptRule, countAttempt } from './attempts.ts'
import { readBrowserToken } from './browser-token.ts'
import {
  consumeAttempt,
  deleteChallenge,
  deleteMatchingChallenge,
  findPendingByClient,
  findPendingBySecret,
  insertChallenge,
  type PendingSignIn,
  renewChallenge,
} from './challenge-store.ts'
import { completeSignIn, presentSignIn, type RequestOrigin } from './complete-sign-in.ts'
import { getDelivery } from './delivery.ts'
import { deleteChallenges } from './revoke-store.ts'
import type { SessionIdentity } from './sessions.ts'
import { createCodeEmail } from './sign-in-emails.ts'
import { lockUnchangedUser, type UserRow } from './store.ts'
import { trustBrowser } from './trusted-browsers.ts'
import { getTwoFactorPolicy } from './two-factor-policy.ts'

const second = 1000
const hour = 3_600_000
const cookie = 'tfa'
const codeLifetime = 600 * second
const coolDown = 60 * second
const maxAttempts = 5

const mailTimeout = 8_000
/** Seconds after which the client may try again. */
const mailRetryAfter = 60

/** Sends the code while the user waits, so that a failure can be reported: docs/decisions/0010. */
async function sendCode(deps: Deps, user: UserRow, client: Client, code: string): Promise<void> {
  const mail = renderEmail(
    { address: user.email, name: user.name },
    createCodeEmail(code, client, deps.now()),
  )
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the mail server did not respond in time')), mailTimeout)
  })
  try {
    await Promise.race([deps.mail.send(mail), deadline])
  } catch (cause) {
    throw new AppError('auth.code_not_sent', { cause, retryAfter: mailRetryAfter })
  } finally {
    clearTimeout(timer)
  }
}

/** With five attempts per code, this allows fifty guesses a day at an account whose password is known. */
const codeMailRule: AttemptRule = {
  action: 'code-mail',
  limits: [
    { count: 5, window: hour },
    { count: 10, window: 24 * hour },
  ],
}

function generateCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

function hashCode({ secrets }: Pick<Deps, 'secrets'>, challengeId: string, code: string): string {
  return secrets.keyedHash('one-time code', `${challengeId}|${code}`)
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** The only error of this step. It does not reveal whether the code is wrong, expired or was never sent. */
function createCodeInvalidError(): AppError {
  return new AppError('auth.code_invalid')
}

async function countCodeMail(deps: Deps, tx: Tx, userId: string): Promise<void> {
  const wait = await countAttempt(deps, tx, codeMailRule, userId)
  if (wait > 0) throw new AppError('auth.code_limit', { retryAfter: Math.ceil(wait / second) })
}

/** A sign-in whose first step succeeded and whose one-time code has not been sent yet. */
export interface Challenge {
  id: string
  secret: string
  code: string
}

/** Starts a challenge and voids earlier ones of the same user. */
export async function startChallenge(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { client, browser }: RequestOrigin,
  identity?: SessionIdentity,
): Promise<Challenge> {
  await countCodeMail(deps, tx, user.id)
  const challenge = { id: uuidv7(), secret: randomToken(), code: generateCode() }
  const at = deps.now()
  await deleteChallenges(tx, user.id)
  await insertChallenge(tx, {
    id: challenge.id,
    secret_hash: tokenHash(challenge.secret),
    user_id: user.id,
    code_hash: hashCode(deps, challenge.id, challenge.code),
    tries: 0,
    // Without an address, only the cookie matches.
    ip: browser.sendsCookies ? '' : client.ip,
    user_agent: client.userAgent,
    sent_at: at,
    expires_at: at + codeLifetime,
    identity_id: identity?.identityId ?? null,
    issuer_session: identity?.issuerSession ?? null,
  })
  return challenge
}

/** Called after the mail server has responded: the audit log must not stay locked during that wait. */
function auditCodeSent(deps: Deps, user: UserRow, client: Client, result: 'ok' | 'failed'): Promise<void> {
  return auditAlone(deps, { actor: toAuditActor(user, client), action: 'code.sent', result })
}

/** Sends the code of a committed challenge, and deletes the challenge if it cannot be sent. */
export async function sendChallengeCode(
  deps: Deps,
  user: UserRow,
  { client, browser }: RequestOrigin,
  challenge: Challenge,
): Promise<LoginResult> {
  try {
    await sendCode(deps, user, client, challenge.code)
  } catch (error) {
    await deleteChallenge(deps.db, challenge.id)
    await auditCodeSent(deps, user, client, 'failed')
    throw error
  }
  await auditCodeSent(deps, user, client, 'ok')
  browser.setCookie(cookie, challenge.secret, codeLifetime / second)
  return { requires2FA: true, delivery: getDelivery(deps), resendAfter: coolDown / second }
}

/**
 * Looks the challenge up by cookie. Without one, the IP address and user agent must be those of the password step, and
 * that must not have come from a browser: someone in the same office could use up or guess the code.
 */
function findPending(
  deps: Deps,
  email: string,
  { client, browser }: RequestOrigin,
): Promise<PendingSignIn | null> {
  if (browser.readCookie(cookie) === null)
    return findPendingByClient(deps.db, email, { ip: client.ip, user_agent: client.userAgent })
  return findPendingBySecret(deps.db, email, tokenHash(readBrowserToken(browser, cookie) ?? ''))
}

export async function verifyCode(
  deps: Deps,
  { email, token }: { email: string; token: string },
  origin: RequestOrigin,
) {
  const pending = await findPending(deps, email, origin)
  if (!pending) throw createCodeInvalidError()
  const { challengeId, user, identity } = pending
  // Counted before the comparison and outside the transaction, so that a rollback does not restore the
  // attempt.
  const expected = await consumeAttempt(deps.db, challengeId, { limit: maxAttempts, now: deps.now() })
  if (!expected || !isEqual(hashCode(deps, challengeId, token), expected)) {
    await auditAlone(deps, {
      actor: null,
      client: origin.client,
      action: 'code.failed',
      object: userObject(user),
      after: { reason: expected ? 'wrong code' : 'too late or too many tries' },
      result: 'failed',
    })
    throw createCodeInvalidError()
  }
  const { result, trust } = await deps.db.transaction().execute(async (tx) => {
    if (!(await lockUnchangedUser(tx, user)) || !(await deleteMatchingChallenge(tx, challengeId, expected)))
      throw createCodeInvalidError()
    const { twoFactorExpiryEnabled } = await getTwoFactorPolicy(tx, user)
    const trust = twoFactorExpiryEnabled ? await trustBrowser(deps, tx, user, origin) : null
    const sessionOrigin = {
      method: 'code' as const,
      browserId: trust?.browserId ?? null,
      ...(identity ? { identity } : {}),
    }
    return { result: await completeSignIn(deps, tx, user, origin, sessionOrigin), trust }
  })
  origin.browser.deleteCookie(cookie)
  trust?.setCookie()
  return presentSignIn(deps, origin.browser, result)
}

export async function resendCode(deps: Deps, { email }: { email: string }, origin: RequestOrigin) {
  const pending = await findPending(deps, email, origin)
  const at = deps.now()
  if (!pending || pending.expiresAt <= at) throw createCodeInvalidError()
  const { challengeId, user } = pending
  const code = generateCode()
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockUnchangedUser(tx, user))) throw createCodeInvalidError()
    const renewed = {
      code_hash: hashCode(deps, challengeId, code),
      sent_at: at,
      expires_at: at + codeLifetime,
    }
    if (!(await renewChallenge(tx, challengeId, renewed, at - coolDown))) {
      const wait = Math.min(coolDown, Math.max(second, pending.sentAt + coolDown - at))
      throw new AppError('auth.code_cool_down', { retryAfter: Math.ceil(wait / second) })
    }
    await countCodeMail(deps, tx, user.id)
  })
  // If sending fails, the pending sign-in remains valid: docs/decisions/0010.
  await sendCode(deps, user, origin.client, code).catch(async (error: unknown) => {
    await auditCodeSent(deps, user, origin.client, 'failed')
    throw error
  })
  await auditCodeSent(deps, user, origin.client, 'ok')
  const secret = readBrowserToken(origin.browser, cookie)
  if (secret) origin.browser.setCookie(cookie, secret, codeLifetime / second)
  return {
    message: 'Another code is on its way',
    delivery: getDelivery(deps),
    resendAfter: coolDown / second,
  }
}
