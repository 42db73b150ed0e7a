import { userName } from '@lyceum/contract/auth'
import type { ClaimRule } from '@lyceum/contract/single-sign-on'
import { email as emailSchema } from '@lyceum/contract/wire'
import type { Claims } from '#providers/openid/openid.ts'

/** A claim by its name, or else by a path with dots into claims that are objects. */
function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Claims)[key]
  }
  return value
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function containsValue(claim: unknown, value: string): boolean {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim]
  return values.some((item) => isScalar(item) && String(item) === value)
}

/** What the rules give to a user with these claims. */
export function evaluateRules(
  rules: readonly ClaimRule[],
  claims: Claims,
): { channelIds: string[]; groupIds: string[]; isAdmin: boolean } {
  const matching = rules.filter(({ claim, value }) => containsValue(readClaim(claims, claim), value))
  return {
    channelIds: [...new Set(matching.flatMap(({ channelIds }) => channelIds))],
    groupIds: [...new Set(matching.flatMap(({ groupIds }) => groupIds))],
    isAdmin: matching.some(({ isAdmin }) => isAdmin),
  }
}

/** The email address, if the issuer has confirmed it. */
export function readVerifiedEmail(claims: Claims, verifiedClaim: string): string | null {
  const verified = readClaim(claims, verifiedClaim)
  // The standard's claim is a boolean. Claims of other names come as a number or text, too.
  const isStandard = verifiedClaim === 'email_verified'
  const isVerified =
    verified === true || (!isStandard && ['1', 'true'].some((value) => containsValue(verified, value)))
  const email = emailSchema.safeParse(claims['email'])
  return isVerified && email.success ? email.data : null
}

const nameSchema = userName('Name is required')

/** The name that the issuer sent, or the first part of the email address. */
export function readName(claims: Claims, email: string): string {
  const parts = [claims['given_name'], claims['family_name']].filter((part) => typeof part === 'string')
  const candidates = [claims['name'], parts.join(' '), claims['preferred_username'], email.split('@')[0]]
  for (const candidate of candidates) {
    const name = nameSchema.safeParse(candidate)
    if (name.success) return name.data
  }
  return email.slice(0, 120)
}

/** Authentication methods of RFC 8176: what users know, and what they have or are. */
const knowledge = new Set(['pwd', 'pin', 'kba'])
const possession = new Set(['otp', 'hwk', 'swk', 'sms', 'tel', 'sc', 'face', 'fpt', 'iris', 'retina', 'vbm'])

/** Whether the ID token says that more than one factor was checked. */
export function isMultiFactor(claims: Claims, acrValues: readonly string[]): boolean {
  const { amr, acr } = claims
  if (typeof acr === 'string' && acrValues.includes(acr)) return true
  if (!Array.isArray(amr)) return false
  const methods: unknown[] = amr
  return (
    methods.includes('mfa') ||
    (methods.some((method) => knowledge.has(String(method))) &&
      methods.some((method) => possession.has(String(method))))
  )
}
