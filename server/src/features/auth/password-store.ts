import type { Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import type { SessionRow } from './store.ts'

export type ResetRow = Selectable<Database['password_resets']>

export async function insertReset(tx: Tx, reset: ResetRow): Promise<void> {
  await tx.insertInto('password_resets').values(reset).execute()
}

export function findReset(db: Executor, tokenHash: string): Promise<ResetRow | undefined> {
  return db.selectFrom('password_resets').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Returns true for only one of several concurrent uses of a link. */
export async function markResetUsed(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function setPasswordHash(tx: Tx, userId: string, hash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
}

/** Returns false if the password has been changed since it was read. */
export async function replacePasswordHash(
  db: Executor,
  userId: string,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ password_hash: after })
    .where('id', '=', userId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The user signed in through their mailbox alone, so a code required at the next sign-in stays required. */
export async function recordMailboxSignIn(tx: Tx, userId: string, now: number): Promise<void> {
  await tx.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute()
}

export function findSession(db: Executor, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
}
