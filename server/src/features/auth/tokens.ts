import { errors, jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '#keys/secrets.ts'

const issuer = 'lyceum'
const tokenType = 'at+jwt'

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

async function verifyWithKey(key: Uint8Array, token: string, now: number): Promise<SessionClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer,
      audience: issuer,
      typ: tokenType,
      clockTolerance: 30,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'sid', 'exp', 'jti'],
    })
    const { sub, sid } = payload
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null
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
