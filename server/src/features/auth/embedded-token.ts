import { randomToken } from '#keys/secrets.ts'

/** Marks tokens of sign-ins on other sites, so that logs and scanners for secrets recognize them. */
const marker = 'lyceum_embed_'

export function createEmbeddedToken(): string {
  return marker + randomToken()
}

export function isEmbeddedToken(token: string): boolean {
  return token.startsWith(marker)
}
