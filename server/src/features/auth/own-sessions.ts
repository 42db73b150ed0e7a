import type { SessionInfo } from '@lyceum/contract/auth'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { describeBrowser } from './describe-browser.ts'
import { deleteEmbeddedSignIn, type EmbeddedSignInRow, listEmbeddedSignIns } from './embedded-store.ts'
import { deleteOtherSessions } from './revoke-store.ts'
import { sessionIdleTimeout } from './sessions.ts'
import { deleteSession, listSessions, type SessionRow } from './store.ts'

function presentSessionInfo(row: SessionRow | EmbeddedSignInRow, { sessionId }: Actor): SessionInfo {
  return {
    _id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
    browser: describeBrowser(row.user_agent),
    ip: row.ip,
    current: row.id === sessionId,
  }
}

/** Also lists the sign-ins on other sites. */
export async function listOwnSessions(deps: Deps, actor: Actor): Promise<SessionInfo[]> {
  const now = deps.now()
  const sessions = await listSessions(deps.db, actor.userId, now, now - sessionIdleTimeout)
  const embedded = await listEmbeddedSignIns(deps.db, actor.userId, now)
  return [
    ...sessions.map((row) => presentSessionInfo(row, actor)),
    ...embedded.map((row) => ({ ...presentSessionInfo(row, actor), site: row.site })),
  ]
}

/** False if the user has neither a session nor a sign-in on another site with this id. */
async function endSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (await deleteSession(tx, userId, id)) || deleteEmbeddedSignIn(tx, userId, id)
}

/** Does nothing if the session has already ended. */
export function signOut(deps: Deps, actor: Actor): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    if (await endSession(tx, actor.userId, actor.sessionId))
      await audit(deps, tx, { actor, action: 'sign-out' })
  })
}

export function endOwnSession(deps: Deps, actor: Actor, sessionId: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await endSession(tx, actor.userId, sessionId))) throw notFound()
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
