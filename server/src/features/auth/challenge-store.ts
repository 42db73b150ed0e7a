import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import type { SessionIdentity } from './sessions.ts'
import type { UserRow } from './store.ts'

type ChallengeRow = Selectable<Database['sign_in_challenges']>

/** A sign-in that is waiting for its code, and its user. */
export interface PendingSignIn {
  challengeId: string
  sentAt: number
  expiresAt: number
  /** Null without single sign-on. */
  identity: SessionIdentity | null
  user: UserRow
}

function selectPending(db: Executor, email: string) {
  return db
    .selectFrom('sign_in_challenges as challenge')
    .innerJoin('users', 'users.id', 'challenge.user_id')
    .selectAll('users')
    .select(['challenge.id as challenge_id', 'challenge.sent_at', 'challenge.expires_at'])
    .select(['challenge.identity_id', 'challenge.issuer_session'])
    .where('users.email', '=', email)
}

function toPendingSignIn(
  row: Awaited<ReturnType<ReturnType<typeof selectPending>['executeTakeFirst']>>,
): PendingSignIn | null {
  if (!row) return null
  const { challenge_id, sent_at, expires_at, identity_id, issuer_session, ...user } = row
  const identity = identity_id === null ? null : { identityId: identity_id, issuerSession: issuer_session }
  return { challengeId: challenge_id, sentAt: sent_at, expiresAt: expires_at, identity, user }
}

export async function findPendingBySecret(
  db: Executor,
  email: string,
  secretHash: string,
): Promise<PendingSignIn | null> {
  return toPendingSignIn(
    await selectPending(db, email).where('challenge.secret_hash', '=', secretHash).executeTakeFirst(),
  )
}

/** For clients without cookies, which are matched by the IP address and user agent of the password step. */
export async function findPendingByClient(
  db: Executor,
  email: string,
  client: Pick<ChallengeRow, 'ip' | 'user_agent'>,
): Promise<PendingSignIn | null> {
  return toPendingSignIn(
    await selectPending(db, email)
      .where('challenge.ip', '=', client.ip)
      .where('challenge.user_agent', '=', client.user_agent)
      .executeTakeFirst(),
  )
}

export async function insertChallenge(
  tx: Tx,
  challenge: Insertable<Database['sign_in_challenges']>,
): Promise<void> {
  await tx.insertInto('sign_in_challenges').values(challenge).execute()
}

/** Uses up one attempt and returns the hash to compare with; null if none is left or the code expired. */
export async function consumeAttempt(
  db: Executor,
  id: string,
  { limit, now }: { limit: number; now: number },
): Promise<string | null> {
  const spent = await db
    .updateTable('sign_in_challenges')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', limit)
    .where('expires_at', '>', now)
    .returning('code_hash')
    .executeTakeFirst()
  return spent?.code_hash ?? null
}

/** True for only one of several concurrent requests, and for none if the code was replaced meanwhile. */
export async function deleteMatchingChallenge(tx: Tx, id: string, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_challenges')
    .where('id', '=', id)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Replaces the code if the previous one was sent long enough ago. */
export async function renewChallenge(
  tx: Tx,
  id: string,
  renewed: Pick<ChallengeRow, 'code_hash' | 'sent_at' | 'expires_at'>,
  sentBefore: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sign_in_challenges')
    .set({ ...renewed, tries: 0 })
    .where('id', '=', id)
    .where('expires_at', '>', renewed.sent_at)
    .where('sent_at', '<=', sentBefore)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteChallenge(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('sign_in_challenges').where('id', '=', id).execute()
}

export async function deleteExpiredChallenges(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute()
}
