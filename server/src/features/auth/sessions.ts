import type { SessionUser } from '@lyceum/contract/auth'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { presentSessionUser } from './present.ts'
import {
  deleteOldestSessions,
  insertSession,
  listChannelIds,
  type SessionRow,
  type UserRow,
} from './store.ts'
import { sessionLifetime, signSessionToken } from './tokens.ts'

/** Milliseconds without a request after which a session ends. */
export const sessionIdleTimeout = 4 * 3_600_000
const maxSessions = 10

/** With which identity a user signed in, and the issuer's id of its own session, if it has one. */
export interface SessionIdentity {
  identityId: string
  issuerSession: string | null
}

export interface SessionOrigin {
  method: SessionRow['method']
  /** The trusted browser in which the session is opened. */
  browserId: string | null
  identity?: SessionIdentity
}

/** Every way to sign in ends here, so a deactivated user is refused here. */
export function requireActive({ deactivated_at }: Pick<UserRow, 'deactivated_at'>): void {
  if (deactivated_at !== null) throw new AppError('auth.deactivated')
}

/** Opens a session. If the user then has more than ten, the oldest ends. */
export async function openSession(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  user: UserRow,
  client: Client,
  { method, browserId, identity }: SessionOrigin,
): Promise<SessionRow> {
  requireActive(user)
  const at = now()
  const session = {
    id: uuidv7(),
    user_id: user.id,
    created_at: at,
    last_seen_at: at,
    expires_at: at + sessionLifetime,
    ip: client.ip,
    user_agent: client.userAgent,
    method,
    browser_id: browserId,
    identity_id: identity?.identityId ?? null,
    issuer_session: identity?.issuerSession ?? null,
  }
  await insertSession(tx, session)
  await deleteOldestSessions(tx, user.id, maxSessions)
  return session
}

/** What the client receives about a committed session. */
export async function presentSession(
  deps: Pick<Deps, 'db' | 'secrets'>,
  user: UserRow,
  session: SessionRow,
): Promise<{ token: string; user: SessionUser }> {
  return {
    token: await signSessionToken(
      deps.secrets,
      { sessionId: session.id, userId: user.id },
      session.created_at,
      session.expires_at,
    ),
    user: presentSessionUser(user, await listChannelIds(deps.db, user.id)),
  }
}

export async function startSession(deps: Deps, user: UserRow, client: Client, origin: SessionOrigin) {
  const session = await deps.db.transaction().execute((tx) => openSession(deps, tx, user, client, origin))
  return presentSession(deps, user, session)
}
