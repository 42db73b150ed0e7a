import type { EndpointShape } from '@lyceum/contract/endpoint'
import { findMissingPermission, getPermissions } from '@lyceum/contract/permissions'
import { tokenHash } from '#keys/secrets.ts'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { findActiveEmbeddedIds, findEmbeddedSignInWithUser, touchEmbeddedSignIn } from './embedded-store.ts'
import { isEmbeddedToken } from './embedded-token.ts'
import { getUserPermissions } from './present.ts'
import { sessionIdleTimeout } from './sessions.ts'
import { findActiveSessionIds, findSessionWithUser } from './store.ts'
import { readSessionToken } from './tokens.ts'

/** Milliseconds for which uses of a sign-in on another site are not recorded again. */
const embeddedPrecision = 60_000

/** On another site, users have no more permissions than a member, whatever they are in Lyceum itself. */
const withoutPermissions = { role: 'user', isSystemAdmin: false } as const

async function authenticateEmbedded(deps: Deps, token: string, client: Client): Promise<Actor | null> {
  const now = deps.now()
  const found = await findEmbeddedSignInWithUser(deps.db, tokenHash(token), now)
  if (!found) return null
  if (now - found.last_seen_at > embeddedPrecision) await touchEmbeddedSignIn(deps.db, found.sign_in_id, now)
  return {
    userId: found.id,
    sessionId: found.sign_in_id,
    name: found.name,
    // The address of a visitor is only a placeholder.
    email: found.visitor_channel_id === null ? found.email : '',
    ...withoutPermissions,
    permissions: getPermissions(withoutPermissions),
    boundChannelId: found.channel_id,
    isKeyActive: null,
    client,
  }
}

/** Resolves a token to its user, or null. Signature, session and user are checked on every request. */
export async function authenticate(deps: Deps, token: string, client: Client): Promise<Actor | null> {
  if (isEmbeddedToken(token)) return authenticateEmbedded(deps, token, client)
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
    boundChannelId: null,
    isKeyActive: null,
    client,
  }
}

function findActiveSession(deps: Deps, { sessionId, userId }: Actor) {
  const now = deps.now()
  return findSessionWithUser(deps.db, sessionId, userId, now, now - sessionIdleTimeout)
}

/** Long streams check this while they run. */
export async function isSignedIn(deps: Deps, actor: Actor): Promise<boolean> {
  return (await listActiveSessionIds(deps, [actor])).has(actor.sessionId)
}

/** Whether the session still grants the access: a permission may be revoked while the session continues. */
export async function isStillAllowed(
  deps: Deps,
  actor: Actor,
  access: EndpointShape['access'],
): Promise<boolean> {
  if (actor.boundChannelId !== null) return access === 'signed-in' && isSignedIn(deps, actor)
  const row = await findActiveSession(deps, actor)
  if (row === undefined) return false
  if (access === 'public' || access === 'signed-in') return true
  if (access === 'system-admin') return row.is_system_admin === 1
  return findMissingPermission(getUserPermissions(row), access) === null
}

function getSessionIds(actors: readonly Actor[]): string[] {
  return actors.map(({ sessionId }) => sessionId)
}

/** Ids of the actors' sessions, and of their sign-ins on other sites, that are still active. */
export async function listActiveSessionIds(deps: Deps, actors: readonly Actor[]): Promise<Set<string>> {
  const now = deps.now()
  const embedded = actors.filter(({ boundChannelId }) => boundChannelId !== null)
  const full = actors.filter(({ boundChannelId }) => boundChannelId === null)
  const [sessions, signIns] = await Promise.all([
    findActiveSessionIds(deps.db, getSessionIds(full), now, now - sessionIdleTimeout),
    findActiveEmbeddedIds(deps.db, getSessionIds(embedded), now),
  ])
  return new Set([...sessions, ...signIns])
}
