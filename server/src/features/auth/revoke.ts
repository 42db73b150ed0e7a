import type { Tx } from '#db/client.ts'
import {
  deleteOtherBrowsers,
  forgetOtherSessions,
  raiseEpoch,
  voidChallenges,
  voidResets,
} from './revoke-store.ts'

export interface Kept {
  sessionId?: string
  /** The trusted browser of the one who acts. */
  browserId?: string | null
}

/**
 * Ends what gives a person entry: sessions, trusted browsers, codes and reset links. What is kept belongs to the one
 * who acts upon their own account.
 */
export async function revokeEntry(
  tx: Tx,
  userId: string,
  { sessionId, browserId }: Kept = {},
): Promise<void> {
  // First, because it holds the person's row: a sign-in on its way has either ended before, or finds another epoch.
  await raiseEpoch(tx, userId)
  await forgetOtherSessions(tx, userId, sessionId ?? null)
  await deleteOtherBrowsers(tx, userId, browserId ?? null)
  await voidChallenges(tx, userId)
  await voidResets(tx, userId)
}
