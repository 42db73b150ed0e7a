import type { Executor, Tx } from '#db/client.ts'
import { lockName } from '#db/dialect.ts'

/** Until the transaction ends, nobody else changes the keys. */
export const holdKeys = (tx: Tx): Promise<void> => lockName(tx, 'keys')

const emptied = async (
  db: Executor,
  table: 'sessions' | 'sign_in_challenges' | 'trusted_browsers',
): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom(table).executeTakeFirst()
  return Number(numDeletedRows)
}

export const endAllSessions = (db: Executor): Promise<number> => emptied(db, 'sessions')
export const voidAllCodes = (db: Executor): Promise<number> => emptied(db, 'sign_in_challenges')
export const forgetAllBrowsers = (db: Executor): Promise<number> => emptied(db, 'trusted_browsers')

export const jobsOf = (
  db: Executor,
  names: readonly string[],
  after: string,
  limit: number,
): Promise<{ id: string; payload: string }[]> =>
  db
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('name', 'in', names)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const changePayload = async (db: Executor, id: string, payload: string): Promise<void> => {
  await db.updateTable('jobs').set({ payload }).where('id', '=', id).execute()
}
