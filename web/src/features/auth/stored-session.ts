import { type SessionUser, user } from '@lyceum/contract/auth'
import type { Permission } from '@lyceum/contract/permissions'
import * as z from 'zod/mini'
import { clearStoredSession, readExpiry, readStoredUser, readToken } from '#api/token.ts'

/** The signed-in user in storage. Permissions added since it was stored are absent. */
export type SignedInUser = Omit<SessionUser, 'permissions'> & {
  permissions?: Partial<Record<Permission, boolean>>
}

// Permissions are added over time, so accept users stored by an earlier version.
const storedUser = z.extend(user, {
  usesSingleSignOn: z.optional(z.literal(true)),
  permissions: z.optional(z.record(z.string(), z.boolean())),
})

function parseUser(text: string): SignedInUser | null {
  try {
    const parsed = storedUser.safeParse(JSON.parse(text))
    return parsed.success ? (parsed.data as SignedInUser) : null
  } catch {
    return null
  }
}

/** Restores the session of an earlier visit. Clears incomplete, unreadable and expired ones and returns null. */
export function restoreSession(now: Date): SignedInUser | null {
  const token = readToken()
  const text = readStoredUser()
  const expiry = token === null ? null : readExpiry(token)
  const isExpired = expiry !== null && expiry <= now.getTime() / 1000
  const restored = token === null || text === null || isExpired ? null : parseUser(text)
  if (restored === null) clearStoredSession()
  return restored
}
