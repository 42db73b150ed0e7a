import type { LoginResult } from '@lyceum/contract/auth'
import type { ErrorCode } from '@lyceum/contract/errors'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone, toAuditActor } from '../audit/append.ts'
import { touchTrustedBrowser } from './browser-store.ts'
import { completeSignIn, presentSignIn, type RequestOrigin, type SignInResult } from './complete-sign-in.ts'
import { getUserPermissions } from './present.ts'
import { requireActive, type SessionIdentity } from './sessions.ts'
import { lockUnchangedUser, type UserRow } from './store.ts'
import { getTrustedBrowser } from './trusted-browsers.ts'
import { type Challenge, sendChallengeCode, startChallenge } from './two-factor-challenge.ts'
import { getTwoFactorPolicy } from './two-factor-policy.ts'

/** What a user has proven before a code may be required. */
export interface FirstStep {
  method: 'password' | 'single-sign-on'
  door: 'user' | 'admin' | undefined
  /** With which identity, for single sign-on. */
  identity?: SessionIdentity
  /** The issuer says that it checked more than a password. */
  isMultiFactor: boolean
  /** If the user has changed since they were read. */
  refusal: ErrorCode
}

async function completeStep(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { method, door, identity, isMultiFactor, refusal }: FirstStep,
  origin: RequestOrigin,
): Promise<{ result: SignInResult } | { challenge: Challenge }> {
  // The password may have changed, or the user's sessions ended, in the meantime.
  if (!(await lockUnchangedUser(tx, user))) throw new AppError(refusal)
  // Before a code is sent.
  requireActive(user)
  const { twoFactorExpiryEnabled } = await getTwoFactorPolicy(tx, user)
  const trusted = await getTrustedBrowser(deps, tx, user, origin.browser)
  // A forced verification requires a code of ours, whatever the issuer says.
  if (user.must_verify === 1 || (twoFactorExpiryEnabled && !trusted && !isMultiFactor))
    return { challenge: await startChallenge(deps, tx, user, origin, identity) }
  // If a code is required, both entry points lead to the same next step: docs/product.md, "Sign-in".
  if (door === 'admin' && !getUserPermissions(user).canAccessAdminPanel) throw new AppError('auth.admin_only')
  if (trusted) await touchTrustedBrowser(tx, trusted.id, deps.now())
  const sessionOrigin = {
    method: trusted && method === 'password' ? ('trusted-browser' as const) : method,
    browserId: trusted?.id ?? null,
    ...(identity ? { identity } : {}),
  }
  return { result: await completeSignIn(deps, tx, user, origin, sessionOrigin) }
}

/** A response without a token means that a code was sent and that the sign-in must be completed with it. */
export async function finishFirstStep(
  deps: Deps,
  user: UserRow,
  step: FirstStep,
  origin: RequestOrigin,
): Promise<LoginResult> {
  const outcome = await deps.db
    .transaction()
    .execute((tx) => completeStep(deps, tx, user, step, origin))
    .catch(async (error: unknown) => {
      if (error instanceof AppError)
        await auditAlone(deps, {
          actor: toAuditActor(user, origin.client),
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
