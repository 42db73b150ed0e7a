import type { ErrorCode } from '@lyceum/contract/errors'
import { getRedirectPath } from '@lyceum/contract/single-sign-on'
import * as z from 'zod'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { IssuerError } from '#providers/openid/issuer-error.ts'
import { buildSignInUrl, type Claims, createSignInChecks, redeemCode } from '#providers/openid/openid.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from '../audit/append.ts'
import { readBrowserToken } from '../auth/browser-token.ts'
import type { RequestOrigin } from '../auth/complete-sign-in.ts'
import { findUser } from '../auth/find-user.ts'
import { finishFirstStep } from '../auth/first-step.ts'
import { admit } from './admit.ts'
import { isMultiFactor } from './claims.ts'
import { requireConnection, requireIssuer, type StoredIssuer } from './issuers.ts'
import { insertTransaction, takeTransaction } from './store.ts'

const cookie = 'sso'
const lifetime = 600_000

type Door = 'user' | 'admin'

const transactionSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  door: z.enum(['user', 'admin']),
})
type Transaction = z.output<typeof transactionSchema>

function getRedirectUri({ env }: Pick<Deps, 'env'>, issuerId: string): string {
  return `${env.PUBLIC_URL}${getRedirectPath(issuerId)}`
}

const errorCodes: Record<IssuerError['kind'], ErrorCode> = {
  unreachable: 'sso.unreachable',
  refused: 'sso.refused',
  misconfigured: 'sso.not_set_up',
  invalid: 'sso.failed',
}

/** Records why the sign-in failed, for administrators. Visitors learn only what they can do. */
async function failWith(
  deps: Deps,
  issuer: StoredIssuer,
  client: Client,
  error: IssuerError,
): Promise<never> {
  deps.log.warn({ issuer: issuer.id, kind: error.kind, reason: error.message }, 'single sign-on failed')
  await auditAlone(deps, {
    actor: null,
    client,
    action: 'sign-in.failed',
    after: { issuer: issuer.id, reason: error.message.slice(0, 200) },
    result: 'failed',
  })
  throw new AppError(errorCodes[error.kind], { cause: error })
}

/**
 * Begins a sign-in and returns the address at the issuer. The state, the nonce and the code verifier stay in the database,
 * bound to this browser by a cookie. Sign-ins that run in several tabs share the cookie.
 */
export async function startSignIn(
  deps: Deps,
  issuerId: string,
  door: Door,
  { client, browser }: RequestOrigin,
): Promise<{ url: string }> {
  const issuer = await requireIssuer(deps.db, deps.secrets, issuerId)
  const checks = createSignInChecks()
  const redirectUri = getRedirectUri(deps, issuerId)
  const url = await buildSignInUrl(requireConnection(issuer), redirectUri, checks).catch(
    (error: IssuerError) => failWith(deps, issuer, client, error),
  )
  const secret = readBrowserToken(browser, cookie) ?? randomToken()
  const transaction: Transaction = { ...checks, door }
  await insertTransaction(deps.db, {
    state_hash: tokenHash(checks.state),
    browser_hash: tokenHash(secret),
    issuer_id: issuerId,
    sealed: deps.secrets.seal(JSON.stringify(transaction)),
    expires_at: deps.now() + lifetime,
  })
  browser.setCookie(cookie, secret, lifetime / 1000)
  return { url }
}

/** Takes the sign-in to which the state belongs, if it began in this browser. */
async function takeOwnTransaction(
  deps: Deps,
  issuerId: string,
  query: URLSearchParams,
  { browser }: RequestOrigin,
): Promise<Transaction> {
  const secret = readBrowserToken(browser, cookie)
  const state = query.get('state')
  const key = { stateHash: tokenHash(state ?? ''), browserHash: tokenHash(secret ?? ''), issuerId }
  const sealed = secret && state ? await takeTransaction(deps.db, key, deps.now()) : null
  if (sealed === null) throw new AppError('sso.expired')
  try {
    return transactionSchema.parse(JSON.parse(deps.secrets.unseal(sealed)))
  } catch {
    // The keys were rotated meanwhile.
    throw new AppError('sso.expired')
  }
}

/** Completes a sign-in with what the issuer sent to the redirect URI. */
export async function finishSignIn(deps: Deps, issuerId: string, queryText: string, origin: RequestOrigin) {
  const { client } = origin
  const query = new URLSearchParams(queryText)
  const issuer = await requireIssuer(deps.db, deps.secrets, issuerId)
  const { door, ...checks } = await takeOwnTransaction(deps, issuerId, query, origin)
  const callback = new URL(`${getRedirectUri(deps, issuerId)}?${query}`)
  const claims = await redeemCode(requireConnection(issuer), callback, checks).catch((error: IssuerError) =>
    failWith(deps, issuer, client, error),
  )
  const { userId, identityId } = await admit(deps, issuer, claims, client)
  // Read after the rules were applied: a new role ends sessions and trusted browsers.
  const user = await findUser(deps.db, userId)
  if (!user) throw new AppError('sso.failed')
  const { sid } = claims as Claims
  const step = {
    method: 'single-sign-on',
    door,
    identity: { identityId, issuerSession: typeof sid === 'string' ? sid : null },
    isMultiFactor: isMultiFactor(claims, issuer.acrValues),
    refusal: 'sso.failed',
  } as const
  const result = await finishFirstStep(deps, user, step, origin)
  return { ...result, door, ...(result.requires2FA ? { email: user.email } : {}) }
}
