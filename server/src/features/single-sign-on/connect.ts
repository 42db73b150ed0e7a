import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Claims } from '#providers/openid/openid.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, toAuditActor, userObject } from '../audit/append.ts'
import { createUserOfSource } from '../auth/create-user.ts'
import { findUser, findUserWithEmail } from '../auth/find-user.ts'
import { acceptByEmail } from '../invitations/register.ts'
import { readName, readVerifiedEmail } from './claims.ts'
import { findIdentity, insertIdentity, isConnected, lockSubject, touchIdentity } from './identity-store.ts'
import type { SourceOfUsers } from './issuers.ts'

export interface ConnectedUser {
  userId: string
  identityId: string
}

/**
 * Finds or creates the user of a subject that signs in for the first time. Only a confirmed email address
 * counts, because anyone can claim another one. Administrators are not connected by it: anyone who controls addresses at the
 * issuer would control the installation.
 */
async function findFirstUser(
  deps: Deps,
  tx: Tx,
  issuer: SourceOfUsers,
  claims: Claims,
  client: Client,
): Promise<string> {
  const email = readVerifiedEmail(claims, issuer.verifiedClaim)
  if (email === null) throw new AppError('sso.unverified')
  const existing = await findUserWithEmail(tx, email)
  if (existing?.role === 'admin') throw new AppError('sso.connect_admin')
  if (existing) {
    // An address that was given to someone else must not give them the account of its former owner.
    if (await isConnected(tx, issuer.id, existing.id)) throw new AppError('sso.already_connected')
    return existing.id
  }
  const invited = await acceptByEmail(deps, tx, email, client)
  if (invited !== null) return invited
  if (!issuer.createsUsers) throw new AppError('sso.no_account')
  return createUserOfSource(deps, tx, {
    email,
    name: readName(claims, email),
    actor: null,
    client,
    origin: { issuer: issuer.id },
  })
}

/** Returns the user of the subject. The first time, connects the subject to a user. */
export async function connectSubject(
  deps: Deps,
  tx: Tx,
  issuer: SourceOfUsers,
  claims: Claims & { sub: string },
  client: Client,
): Promise<ConnectedUser> {
  const { sub: subject } = claims
  await lockSubject(tx, issuer.id, subject)
  const now = deps.now()
  const known = await findIdentity(tx, issuer.id, subject)
  if (known) {
    await touchIdentity(tx, known.id, now)
    return { userId: known.user_id, identityId: known.id }
  }
  const userId = await findFirstUser(deps, tx, issuer, claims, client)
  const identityId = uuidv7()
  await insertIdentity(tx, {
    id: identityId,
    user_id: userId,
    issuer_id: issuer.id,
    subject,
    created_at: now,
    last_used_at: now,
  })
  const user = await findUser(tx, userId)
  if (!user) throw new AppError('sso.failed')
  await audit(deps, tx, {
    actor: toAuditActor(user, client),
    action: 'identity.connected',
    object: userObject(user),
    after: { issuer: issuer.id, subject },
  })
  return { userId, identityId }
}
