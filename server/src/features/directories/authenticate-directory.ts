import { getPermissions } from '@lyceum/contract/permissions'
import { tokenHash } from '#keys/secrets.ts'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { findDirectoryWithKey, touchKey } from './store.ts'

/** Milliseconds for which uses of a key are not recorded again. */
const precision = 60_000

export interface DirectoryAccess {
  directoryId: string
  /** The directory in the place of a user, for the audit log and the rate limits. It has no permissions. */
  actor: Actor
}

/** Resolves a key to its directory, or null. Checked on every request. */
export async function authenticateDirectory(
  deps: Deps,
  key: string,
  client: Client,
): Promise<DirectoryAccess | null> {
  const now = deps.now()
  const found = await findDirectoryWithKey(deps.db, tokenHash(key))
  if (!found) return null
  if (now - (found.last_used_at ?? 0) > precision) await touchKey(deps.db, found.id, now)
  return {
    directoryId: found.id,
    actor: {
      userId: found.id,
      sessionId: found.id,
      name: `Directory ${found.name}`,
      email: '',
      role: 'user',
      isSystemAdmin: false,
      permissions: getPermissions({ role: 'user', isSystemAdmin: false }),
      boundChannelId: null,
      isKeyActive: null,
      client,
    },
  }
}
