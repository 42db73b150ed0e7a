import { type ApiKeyScope, apiKeyScopes } from '@lyceum/contract/api-keys'
import { getPermissions } from '@lyceum/contract/permissions'
import { tokenHash } from '#keys/secrets.ts'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { findKeyWithUser, isApiKeyActive, touchApiKey } from './store.ts'

/** Milliseconds for which uses of a key are not recorded again. */
const precision = 60_000

export interface KeyAccess {
  /** The user as whom the program acts. Keys never give the permissions of administrators. */
  actor: Actor
  scopes: ReadonlySet<ApiKeyScope>
  /** Null for every channel that the user is a member of. */
  channelIds: ReadonlySet<string> | null
  /** Streams check this while they run. */
  isActive: () => Promise<boolean>
}

interface KeyWithUser {
  id: string
  name: string
  email: string
  key_id: string
  scopes: string
  channel_ids: string | null
}

/** What a program may do with a key, or with the token of a connected program. */
export function toKeyAccess(found: KeyWithUser, client: Client, isActive: KeyAccess['isActive']): KeyAccess {
  const scopes = new Set(JSON.parse(found.scopes) as string[])
  return {
    actor: {
      userId: found.id,
      // The audit log records the key in place of a session.
      sessionId: found.key_id,
      name: found.name,
      email: found.email,
      role: 'user',
      isSystemAdmin: false,
      permissions: getPermissions({ role: 'user', isSystemAdmin: false }),
      boundChannelId: null,
      isKeyActive: isActive,
      client,
    },
    scopes: new Set(apiKeyScopes.filter((scope) => scopes.has(scope))),
    channelIds: found.channel_ids === null ? null : new Set(JSON.parse(found.channel_ids) as string[]),
    isActive,
  }
}

/** Resolves a key to what it may do, or null. Key and user are checked on every request. */
export async function authenticateKey(deps: Deps, key: string, client: Client): Promise<KeyAccess | null> {
  const now = deps.now()
  const found = await findKeyWithUser(deps.db, tokenHash(key), now)
  if (!found) return null
  if (now - (found.last_used_at ?? 0) > precision) await touchApiKey(deps.db, found.key_id, now)
  return toKeyAccess(found, client, () => isApiKeyActive(deps.db, found.key_id, deps.now()))
}
