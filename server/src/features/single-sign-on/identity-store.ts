import type { Insertable, Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'
import type { Database } from '#db/schema.ts'

export type IdentityRow = Selectable<Database['identities']>

/** Makes a second sign-in of the same subject wait until the first one has connected it. */
export function lockSubject(tx: Tx, issuerId: string, subject: string): Promise<void> {
  return lockName(tx, `identity|${issuerId}|${subject}`)
}

export function findIdentity(
  db: Executor,
  issuerId: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('issuer_id', '=', issuerId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Whether any subject of the issuer is this user. */
export async function isConnected(db: Executor, issuerId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('identities')
    .select('id')
    .where('issuer_id', '=', issuerId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

export function listIdentities(db: Executor, userId: string) {
  return db
    .selectFrom('identities')
    .innerJoin('sign_in_issuers', 'sign_in_issuers.id', 'identities.issuer_id')
    .selectAll('identities')
    .select('sign_in_issuers.name as issuer_name')
    .where('identities.user_id', '=', userId)
    .orderBy('sign_in_issuers.name')
    .orderBy('identities.id')
    .execute()
}

export async function insertIdentity(tx: Tx, identity: Insertable<Database['identities']>): Promise<void> {
  await tx.insertInto('identities').values(identity).execute()
}

export async function touchIdentity(tx: Tx, id: string, now: number): Promise<void> {
  await tx.updateTable('identities').set({ last_used_at: now }).where('id', '=', id).execute()
}

/** Undefined if the user has no such identity. */
export function deleteIdentity(tx: Tx, userId: string, id: string): Promise<IdentityRow | undefined> {
  return tx
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

interface Ending {
  issuerId: string
  /** Null for every identity of the issuer. */
  subject: string | null
  /** Null for all sessions of the identities. */
  issuerSession: string | null
}

function deleteBegunWith(
  tx: Tx,
  table: 'sessions' | 'embedded_sign_ins' | 'sign_in_challenges',
  ending: Ending,
) {
  const { issuerId, subject, issuerSession } = ending
  let identities = tx.selectFrom('identities').select('id').where('issuer_id', '=', issuerId)
  if (subject !== null) identities = identities.where('subject', '=', subject)
  let query = tx
    .deleteFrom(table as 'sessions')
    .where('identity_id', 'in', identities)
    .returning('user_id')
  if (issuerSession !== null) query = query.where('issuer_session', '=', issuerSession)
  return query.execute()
}

/** Ends sessions, sign-ins on other sites, and those that wait for a code. Returns how many each user lost. */
export async function endSessions(tx: Tx, ending: Ending): Promise<Map<string, number>> {
  await deleteBegunWith(tx, 'sign_in_challenges', ending)
  const counts = new Map<string, number>()
  const sessions = await deleteBegunWith(tx, 'sessions', ending)
  // Last: a sign-in that is being allowed locks its session until it is stored.
  const embedded = await deleteBegunWith(tx, 'embedded_sign_ins', ending)
  for (const { user_id } of [...sessions, ...embedded]) counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
  return counts
}
