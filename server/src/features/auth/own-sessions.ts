import type { SessionInfo } from '@lyceum/contract/auth'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { describeBrowser } from './describe-browser.ts'
import { deleteOtherSessions } from './revoke-store.ts'
import { sessionIdleTimeout } from './sessions.ts'
import { deleteSession, listSessions } from './store.ts'

export async function listOwnSessions(deps: Deps, actor: Actor): Promise<SessionInfo[]> {
  const now = deps.now()
  const rows = await listSessions(deps.db, actor.userId, now, now - sessionIdleTimeout)
  return rows.map((row) => ({
    _id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
    browser: describeBrowser(row.user_agent),
    ip: row.ip,
    current: row.id === actor.sessionId,
  }))
}

/** Does nothing if the session has already ended. */
export function signOut(deps: Deps, actor: Actor): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    if (await deleteSession(tx, actor.userId, actor.sessionId))
      await audit(deps, tx, { actor, action: 'sign-out' })
  })
}

export function endOwnSession(deps: Deps, actor: Actor, sessionId: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await deleteSession(tx, actor.userId, sessionId))) throw notFound()
    await audit(deps, tx, { actor, action: 'session.ended', after: { sessionId } })
  })
}

export async function endOtherSessions(deps: Deps, actor: Actor): Promise<{ message: string }> {
  const ended = await deps.db.transaction().execute(async (tx) => {
    const count = await deleteOtherSessions(tx, actor.userId, actor.sessionId)
    if (count > 0) await audit(deps, tx, { actor, action: 'session.ended', after: { others: count } })
    return count
  })
  return {
    message: ended === 1 ? 'Signed out of one other session' : `Signed out of ${ended} other sessions`,
  }
}
