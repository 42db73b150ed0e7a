import type { EndpointShape } from '@lyceum/contract/endpoint'
import { findMissingPermission } from '@lyceum/contract/permissions'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { getUserPermissions } from './present.ts'
import { sessionIdleTimeout } from './sessions.ts'
import { findActiveSessionIds, findSessionWithUser } from './store.ts'
import { readSessionToken } from './tokens.ts'

/** Resolves a token to its user, or null. Signature, session and user are checked on every request. */
export async function authenticate(deps: Deps, token: string, client: Client): Promise<Actor | null> {
  const now = deps.now()
  const claims = await readSessionToken(deps.secrets, token, now)
  if (!claims) return null
  const found = await findSessionWithUser(
    deps.db,
    claims.sessionId,
    claims.userId,
    now,
    now - sessionIdleTimeout,
  )
  if (!found) return null
  await deps.sessionTouches.touch(claims.sessionId, now, found.last_seen_at)
  return {
    userId: found.id,
    sessionId: claims.sessionId,
    name: found.name,
    email: found.email,
    role: found.role,
    isSystemAdmin: found.is_system_admin === 1,
    permissions: getUserPermissions(found),
    client,
  }
}

function findActiveSession(deps: Deps, { sessionId, userId }: Actor) {
  const now = deps.now()
  return findSessionWithUser(deps.db, sessionId, userId, now, now - sessionIdleTimeout)
}

/** Long streams check this while they run. */
export async function isSignedIn(deps: Deps, actor: Actor): Promise<boolean> {
  return (await findActiveSession(deps, actor)) !== undefined
}

/** Whether the session still grants the access: a permission may be revoked while the session continues. */
export async function isStillAllowed(
  deps: Deps,
  actor: Actor,
  access: EndpointShape['access'],
): Promise<boolean> {
  const row = await findActiveSession(deps, actor)
  if (row === undefined) return false
  if (access === 'public' || access === 'signed-in') return true
  if (access === 'system-admin') return row.is_system_admin === 1
  return findMissingPermission(getUserPermissions(row), access) === null
}

/** Ids of the actors' sessions that are still active. */
export function listActiveSessionIds(deps: Deps, actors: readonly Actor[]): Promise<Set<string>> {
  const now = deps.now()
  const ids = actors.map(({ sessionId }) => sessionId)
  return findActiveSessionIds(deps.db, ids, now, now - sessionIdleTimeout)
}
