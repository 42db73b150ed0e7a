import type { webcrypto } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import * as z from 'zod'
import type { Secrets } from '#keys/secrets.ts'

const issuer = 'lyceum'
const tokenType = 'at+jwt'
/** Maximum lifetime of a session and its token, in milliseconds. */
export const sessionLifetime = 12 * 3_600_000

/** Our tokens name no key, so a header with `kid`, `jwk` or any other parameter was not written by us. */
const headerSchema = z.strictObject({ alg: z.literal('HS256'), typ: z.literal(tokenType) })

/**
 * `jose` also accepts a list of audiences that contains ours, and tokens without `iat`. An `iat` in the future is valid:
 * setting the clock back must not sign anyone out.
 */
const claimsSchema = z
  .object({
    aud: z.literal(issuer),
    sub: z.string().min(1),
    sid: z.string().min(1),
    jti: z.string().min(1),
    iat: z.int(),
    exp: z.int(),
  })
  .refine(({ iat, exp }) => (exp - iat) * 1000 <= sessionLifetime)

interface SessionClaims {
  sessionId: string
  userId: string
}

/** The token names the user and the session but no permissions, which are read on every request. */
export function signSessionToken(
  secrets: Secrets,
  { sessionId, userId }: SessionClaims,
  issuedAt: number,
  expiresAt: number,
): Promise<string> {
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: tokenType })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(userId)
    .setJti(crypto.randomUUID())
    .setIssuedAt(Math.floor(issuedAt / 1000))
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(secrets.tokenKey)
}

const verificationKeys = new WeakMap<Uint8Array, Promise<webcrypto.CryptoKey>>()

/** Imported once: `jose` would import the bytes again for every request, which takes as long as checking the signature. */
function getVerificationKey(bytes: Uint8Array): Promise<webcrypto.CryptoKey> {
  const known = verificationKeys.get(bytes)
  if (known !== undefined) return known
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = crypto.subtle.importKey('raw', Uint8Array.from(bytes), algorithm, false, ['verify'])
  verificationKeys.set(bytes, imported)
  return imported
}

async function verifyWithKey(key: Uint8Array, token: string, now: number): Promise<SessionClaims | null> {
  try {
    const { protectedHeader, payload } = await jwtVerify(token, await getVerificationKey(key), {
      algorithms: ['HS256'],
      issuer,
      audience: issuer,
      typ: tokenType,
      clockTolerance: 30,
      currentDate: new Date(now),
    })
    const claims = claimsSchema.safeParse(payload)
    if (!headerSchema.safeParse(protectedHeader).success || !claims.success) return null
    return { userId: claims.data.sub, sessionId: claims.data.sid }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** Returns null unless the token is valid and was signed by this installation. */
export async function readSessionToken(
  secrets: Secrets,
  token: string,
  now: number,
): Promise<SessionClaims | null> {
  return (
    (await verifyWithKey(secrets.tokenKey, token, now)) ??
    (secrets.previousTokenKey ? verifyWithKey(secrets.previousTokenKey, token, now) : null)
  )
}
