import type { SignInMethods } from '@lyceum/contract/single-sign-on'
import { uuidv7 } from 'uuidv7'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit, userObject } from '../audit/append.ts'
import { requireAuthorityOver, requireLockedUser, requireUser } from '../users/access.ts'
import {
  deleteIdentity,
  endSessions,
  findIdentity,
  insertIdentity,
  listIdentities,
  lockSubject,
} from './identity-store.ts'
import { requireIssuer } from './issuers.ts'

export async function getSignInMethods({ db }: Deps, userId: string): Promise<SignInMethods> {
  const user = await requireUser(db, userId)
  const identities = await listIdentities(db, userId)
  return {
    hasPassword: user.password_hash !== '',
    isBreakGlass: user.is_break_glass === 1,
    identities: identities.map((row) => ({
      _id: row.id,
      issuerId: row.issuer_id,
      issuerName: row.issuer_name,
      subject: row.subject,
      createdAt: new Date(row.created_at).toISOString(),
      lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    })),
  }
}

/** Lets the subject of the issuer sign in as the user. The only way to connect an administrator. */
export async function connectUser(
  deps: Deps,
  actor: Actor,
  userId: string,
  { issuerId, subject }: { issuerId: string; subject: string },
): Promise<SignInMethods> {
  await deps.db.transaction().execute(async (tx) => {
    await lockSubject(tx, issuerId, subject)
    const user = await requireLockedUser(tx, userId)
    const issuer = await requireIssuer(tx, deps.secrets, issuerId)
    if (await findIdentity(tx, issuerId, subject)) throw new AppError('sso.subject_taken')
    await insertIdentity(tx, {
      id: uuidv7(),
      user_id: userId,
      issuer_id: issuer.id,
      subject,
      created_at: deps.now(),
      last_used_at: null,
    })
    await audit(deps, tx, {
      actor,
      action: 'identity.connected',
      object: userObject(user),
      after: { issuer: issuerId, subject },
    })
  })
  return getSignInMethods(deps, userId)
}

export async function disconnectUser(
  deps: Deps,
  actor: Actor,
  { userId, identityId }: { userId: string; identityId: string },
): Promise<SignInMethods> {
  requirePermission(actor, 'canManageUsers')
  await deps.db.transaction().execute(async (tx) => {
    const user = await requireLockedUser(tx, userId)
    requireAuthorityOver(actor, user)
    const identity = (await listIdentities(tx, userId)).find(({ id }) => id === identityId)
    if (!identity) throw notFound()
    const { issuer_id: issuerId, subject } = identity
    await endSessions(tx, { issuerId, subject, issuerSession: null })
    await deleteIdentity(tx, userId, identityId)
    await audit(deps, tx, {
      actor,
      action: 'identity.disconnected',
      object: userObject(user),
      before: { issuer: issuerId, subject },
    })
  })
  return getSignInMethods(deps, userId)
}
