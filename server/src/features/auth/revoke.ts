import type { Tx } from '#db/client.ts'
import {
  deleteChallenges,
  deleteOtherSessions,
  deleteOtherTrustedBrowsers,
  deleteUnusedResets,
  incrementEpoch,
} from './revoke-store.ts'

export interface KeptAccess {
  sessionId?: string
  /** The trusted browser of the actor. */
  browserId?: string | null
}

/** Signs a user out everywhere, also on other sites. Returns how many sessions there were. */
export function endAllSessions(tx: Tx, userId: string): Promise<number> {
  return deleteOtherSessions(tx, userId, null)
}

/**
 * Ends everything that gives a user access: sessions, trusted browsers, codes and reset links. Users who act
 * on their own account keep the session and browser they pass in.
 */
export async function revokeAccess(
  tx: Tx,
  userId: string,
  { sessionId, browserId }: KeptAccess = {},
): Promise<void> {
  // Raise the epoch first, which locks the user's row: a concurrent sign-in either finishes first or
  // sees a different epoch.
  await incrementEpoch(tx, userId)
  await deleteOtherSessions(tx, userId, sessionId ?? null)
  await deleteOtherTrustedBrowsers(tx, userId, browserId ?? null)
  await deleteChallenges(tx, userId)
  await deleteUnusedResets(tx, userId)
}
