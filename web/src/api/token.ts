import { localStore } from '#lib/storage.ts'
import { storagePrefix } from '#lib/storage-prefix.ts'

/** The keys in local storage. */
export const tokenKey = `${storagePrefix}.token`
export const userKey = `${storagePrefix}.user`

export function readToken(): string | null {
  return localStore.read(tokenKey)
}
export function readStoredUser(): string | null {
  return localStore.read(userKey)
}

export function storeUser(user: object): void {
  localStore.write(userKey, JSON.stringify(user))
}

export function storeSession(token: string, user: object): void {
  // Store the user first, because other tabs read both as soon as the token changes.
  storeUser(user)
  localStore.write(tokenKey, token)
}

export function clearStoredSession(): void {
  localStore.remove(tokenKey)
  localStore.remove(userKey)
}

/** The `exp` claim of a token in seconds, or null when it has none or is malformed. */
export function readExpiry(token: string): number | null {
  const claims = token.split('.')[1]
  if (claims === undefined) return null
  try {
    const parsed: unknown = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    if (typeof parsed !== 'object' || parsed === null || !('exp' in parsed)) return null
    return typeof parsed.exp === 'number' ? parsed.exp : null
  } catch {
    return null
  }
}
