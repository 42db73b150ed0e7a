import type { LoginResult } from '@lyceum/contract/auth'
import type { Executor } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Client } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { browserName } from './browser-name.ts'
import { verifyPassword } from './passwords.ts'
import { presentSessionUser } from './present.ts'
import { startSession } from './sessions.ts'
import { channelIdsOf, countUsers, deleteSession, findUser, findUserByEmail, sessionsOf } from './store.ts'
import { checkSignInAllowed, recordSignIn } from './throttle.ts'

interface SignIn {
  email: string
  password: string
  door?: 'user' | 'admin' | undefined
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
  return startSession(deps, user, client, { method: 'password', browserId: null })
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
    browser: browserName(row.user_agent),
    ip: row.ip,
    current: row.id === actor.sessionId,
  }))
}

export const endOwnSession = async (deps: Deps, actor: Actor, sessionId: string): Promise<void> => {
  if (!(await deleteSession(deps.db, actor.userId, sessionId))) throw notFound()
}

/** False on an installation that nobody has set up yet. */
export const hasUsers = async (db: Executor): Promise<boolean> => (await countUsers(db)) > 0
