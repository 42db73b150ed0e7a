import type { LoginResult } from '@lyceum/contract/auth'
import { uuidv7 } from 'uuidv7'
import type { Executor } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Client } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { verifyPassword } from './passwords.ts'
import { presentSessionUser } from './present.ts'
import {
  channelIdsOf,
  countUsers,
  deleteSession,
  dropOldestSessions,
  findUser,
  findUserByEmail,
  insertSession,
  sessionsOf,
  type UserRow,
} from './store.ts'
import { checkSignInAllowed, recordSignIn } from './throttle.ts'
import { signSessionToken } from './tokens.ts'

/** A session lasts at most this long, in milliseconds. */
const sessionLifetime = 12 * 3_600_000
const sessionsKept = 10

interface SignIn {
  email: string
  password: string
  door?: 'user' | 'admin' | undefined
}

/** A new session for a person; the oldest beyond ten ends. */
export const startSession = async (deps: Deps, user: UserRow, client: Client): Promise<LoginResult> => {
  const sessionId = uuidv7()
  const now = deps.now()
  const expiresAt = now + sessionLifetime
  await deps.db.transaction().execute(async (tx) => {
    await insertSession(tx, {
      id: sessionId,
      user_id: user.id,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
      ip: client.ip,
      user_agent: client.userAgent,
    })
    await dropOldestSessions(tx, user.id, sessionsKept)
  })
  return {
    token: await signSessionToken(deps.secrets, { sessionId, userId: user.id }, now, expiresAt),
    user: presentSessionUser(user, await channelIdsOf(deps.db, user.id)),
  }
}

/** The same answer, after the same work, for a wrong password and for nobody's address. */
export const signIn = async (
  deps: Deps,
  { email, password, door }: SignIn,
  client: Client,
): Promise<LoginResult> => {
  await checkSignInAllowed(deps, email, client)
  const user = await findUserByEmail(deps.db, email)
  const isRight = await verifyPassword(user?.password_hash ?? null, password)
  await recordSignIn(deps, email, client, isRight)
  if (!user || !isRight) throw new AppError('auth.invalid_credentials')
  if (door === 'admin' && user.role !== 'admin') throw new AppError('auth.admin_only')
  return startSession(deps, user, client)
}

export const currentUser = async (deps: Deps, actor: Actor) => {
  const user = await findUser(deps.db, actor.userId)
  if (!user) throw new AppError('auth.session_ended')
  return presentSessionUser(user, await channelIdsOf(deps.db, user.id))
}

export const ownSessions = async (deps: Deps, actor: Actor) => {
  const rows = await sessionsOf(deps.db, actor.userId, deps.now())
  return rows.map((row) => ({
    _id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    lastSeenAt: new Date(row.last_seen_at).toISOString(),
    userAgent: row.user_agent,
    ip: row.ip,
    current: row.id === actor.sessionId,
  }))
}

export const endOwnSession = async (deps: Deps, actor: Actor, sessionId: string): Promise<void> => {
  if (!(await deleteSession(deps.db, actor.userId, sessionId))) throw notFound()
}

/** False on an installation that nobody has set up yet. */
export const hasUsers = async (db: Executor): Promise<boolean> => (await countUsers(db)) > 0
