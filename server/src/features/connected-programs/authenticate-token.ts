import { tokenHash } from '#keys/secrets.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { type KeyAccess, toKeyAccess } from '../api-keys/authenticate-key.ts'
import { findTokenWithUser, isProgramActive, touchProgram } from './store.ts'

/** Milliseconds for which uses of a program are not recorded again. */
const precision = 60_000

/** Resolves an access token to what its program may do, or null. Program and user are checked on every request. */
export async function authenticateToken(
  deps: Deps,
  token: string,
  client: Client,
): Promise<KeyAccess | null> {
  const now = deps.now()
  const found = await findTokenWithUser(deps.db, tokenHash(token), now)
  if (!found) return null
  if (now - (found.last_used_at ?? 0) > precision) await touchProgram(deps.db, found.key_id, now)
  return toKeyAccess(found, client, () => isProgramActive(deps.db, found.key_id, deps.now()))
}
