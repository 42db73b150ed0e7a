import type { Insertable, Selectable, Updateable } from 'kysely'
import { selectAccounts } from '#db/accounts.ts'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

export type IssuerRow = Selectable<Database['sign_in_issuers']>

/** The row of the LDAP directory, which no issuer can have. */
export const directoryId = '@ldap'

/** Without the directory. */
export function listIssuerRows(db: Executor): Promise<IssuerRow[]> {
  return db
    .selectFrom('sign_in_issuers')
    .selectAll()
    .where('id', '<>', directoryId)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export function findIssuerRow(db: Executor, id: string): Promise<IssuerRow | undefined> {
  return db.selectFrom('sign_in_issuers').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertIssuer(tx: Tx, issuer: IssuerRow): Promise<void> {
  await tx.insertInto('sign_in_issuers').values(issuer).execute()
}

export async function updateIssuer(
  tx: Tx,
  id: string,
  change: Updateable<Database['sign_in_issuers']>,
): Promise<void> {
  await tx.updateTable('sign_in_issuers').set(change).where('id', '=', id).execute()
}

/** Deletes the issuer and, by cascade, its identities and unfinished sign-ins. */
export async function deleteIssuer(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('sign_in_issuers').where('id', '=', id).execute()
}

export async function countIdentitiesByIssuer(db: Executor): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('identities')
    .select((eb) => ['issuer_id', eb.fn.countAll<number>().as('count')])
    .groupBy('issuer_id')
    .execute()
  return new Map(rows.map(({ issuer_id, count }) => [issuer_id, count]))
}

export async function countBreakGlassUsers(db: Executor): Promise<number> {
  const { count } = await selectAccounts(db)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_break_glass', '=', 1)
    .where('role', '=', 'admin')
    .where('deactivated_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertTransaction(
  db: Executor,
  transaction: Insertable<Database['sign_in_transactions']>,
): Promise<void> {
  await db.insertInto('sign_in_transactions').values(transaction).execute()
}

/** Removes the sign-in, so that it can be finished once only. Returns its sealed part. */
export async function takeTransaction(
  db: Executor,
  key: { stateHash: string; browserHash: string; issuerId: string },
  now: number,
): Promise<string | null> {
  const taken = await db
    .deleteFrom('sign_in_transactions')
    .where('state_hash', '=', key.stateHash)
    .where('browser_hash', '=', key.browserHash)
    .where('issuer_id', '=', key.issuerId)
    .where('expires_at', '>', now)
    .returning('sealed')
    .executeTakeFirst()
  return taken?.sealed ?? null
}

/** False if the token has been used before. */
export async function insertUsedToken(tx: Tx, tokenHash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_logout_tokens')
    .values({ token_hash: tokenHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteExpired(db: Executor, now: number): Promise<void> {
  await db.deleteFrom('sign_in_transactions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('used_logout_tokens').where('expires_at', '<=', now).execute()
}
