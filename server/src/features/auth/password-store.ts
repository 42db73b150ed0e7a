import type { Selectable } from 'kysely'
import type { Executor, Tx } from '#db/client.ts'
import type { Database } from '#db/schema.ts'
import type { SessionRow } from './store.ts'

export type ResetRow = Selectable<Database['password_resets']>

export const insertReset = async (tx: Tx, reset: ResetRow): Promise<void> => {
  await tx.insertInto('password_resets').values(reset).execute()
}

export const findReset = (db: Executor, tokenHash: string): Promise<ResetRow | undefined> =>
  db.selectFrom('password_resets').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()

/** Of two who use a link at the same time one succeeds. */
export const takeReset = async (tx: Tx, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const setPasswordHash = async (tx: Tx, userId: string, hash: string): Promise<void> => {
  await tx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
}

/** A person has come in by their mailbox alone; whether a code is due at the next sign-in stays as it is. */
export const recordArrival = async (tx: Tx, userId: string, now: number): Promise<void> => {
  await tx.updateTable('users').set({ last_seen_at: now }).where('id', '=', userId).execute()
}

export const findSession = (db: Executor, id: string): Promise<SessionRow | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
